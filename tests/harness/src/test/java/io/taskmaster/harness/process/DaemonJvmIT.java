package io.taskmaster.harness.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DaemonJvmIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final Path folder;
    private final DaemonJvm daemon;

    DaemonJvmIT(@TempDir Path parent) throws IOException {
        this.folder = Files.createDirectory(parent.resolve("a \"b\" \\ c"));
        this.daemon = new DaemonJvm("sleeper", folder, folder.resolve("log"));
    }

    /** A main program that prints its arguments, and sleeps. */
    static final class Sleeper {

        private Sleeper() {}

        public static void main(String[] arguments) throws InterruptedException {
            System.out.println(String.join("|", arguments));
            Thread.currentThread().join();
        }
    }

    /** A main program that starts a sleeper, and ends. */
    static final class Starter {

        private Starter() {}

        public static void main(String[] arguments) {
            Path folder = Path.of(arguments[0]);
            new DaemonJvm("sleeper", folder, folder.resolve("log")).start(sleeper("a b", "\"c\" \\ 'd'"));
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        daemon.kill();
    }

    @Test
    void goesOnWhenItsStarterHasEndedAndIsFoundByOthers() throws InterruptedException {
        try (ChildJvm starter = ChildJvm.start(
                JvmCommand.of(Starter.class.getName(), List.of(folder.toString())), folder.resolve("starter"))) {
            assertThat(starter.awaitExit(TIMEOUT)).hasValue(0);
        }
        assertThat(daemon.isAlive()).isTrue();
        assertThat(daemon.runningSince()).isPresent();
        await().atMost(TIMEOUT).until(daemon::lastOutput, "a b|\"c\" \\ 'd'"::equals);

        assertThat(daemon.stop(TIMEOUT)).as("ended by itself").isTrue();
        assertThat(daemon.isAlive()).isFalse();
    }

    @Test
    void isStartedOnlyOnce() {
        daemon.start(sleeper());
        long pid = daemon.pid().orElseThrow();
        daemon.start(sleeper());

        assertThat(daemon.pid()).hasValue(pid);
    }

    @Test
    void aProcessOfSomebodyElseIsNotTakenForIt() throws IOException, InterruptedException {
        daemon.start(sleeper());
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.copy(folder.resolve("sleeper.pid"), elsewhere.resolve("sleeper.pid"));
        DaemonJvm other = new DaemonJvm("sleeper", elsewhere, elsewhere.resolve("log"));

        assertThat(other.isAlive()).isFalse();
        other.kill();
        assertThat(daemon.isAlive()).isTrue();
    }

    private static JvmCommand sleeper(String... arguments) {
        return JvmCommand.of(Sleeper.class.getName(), List.of(arguments));
    }
}
