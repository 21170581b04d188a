package io.taskmaster.harness.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChildJvmIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @TempDir
    private Path folder = Path.of("");

    /** A main program that counts in a file, which shows whether it runs. */
    static final class Counter {

        private Counter() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            Path file = Path.of(arguments[0]);
            for (int i = 1; ; i++) {
                Files.writeString(file, "x".repeat(i));
                Thread.sleep(5);
            }
        }
    }

    /**
     * A main program that starts a counter, freezes it on demand, writes its process id to a file, and waits for its
     * end.
     */
    static final class Parent {

        private Parent() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            Path folder = Path.of(arguments[0]);
            ChildJvm child = counter(folder);
            if (arguments[1].equals("frozen")) {
                child.pause();
            }
            Files.writeString(folder.resolve("pid.new"), Long.toString(child.pid()));
            Files.move(folder.resolve("pid.new"), folder.resolve("pid"));
            Thread.currentThread().join();
        }
    }

    @Test
    void isFrozenAndGoesOn() {
        try (ChildJvm child = counter(folder)) {
            awaitProgress();
            child.pause();
            long frozen = count();
            await().during(Duration.ofMillis(100)).until(() -> count() == frozen);
            assertThat(child.isAlive()).isTrue();
            child.resume();
            awaitProgress();
        }
    }

    @Test
    void isKilledWhileFrozenAndStartsAgain() {
        try (ChildJvm child = counter(folder)) {
            awaitProgress();
            child.pause();
            child.kill();
            assertThat(child.isAlive()).isFalse();
            child.start();
            awaitProgress();
            assertThat(child.starts()).isEqualTo(2);
        }
    }

    @Test
    void doesNotOutliveAParentThatIsKilled() throws IOException {
        for (String state : List.of("running", "frozen")) {
            Path own = Files.createDirectory(folder.resolve(state));
            try (ChildJvm parent = ChildJvm.start(
                    JvmCommand.of(Parent.class.getName(), List.of(own.toString(), state)), own.resolve("parent.log"))) {
                await().atMost(TIMEOUT).until(() -> Files.exists(own.resolve("pid")));
                long pid = Long.parseLong(Files.readString(own.resolve("pid")));
                assertThat(isAlive(pid)).isTrue();
                parent.kill();
                await().atMost(TIMEOUT).until(() -> !isAlive(pid));
            }
        }
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    private static ChildJvm counter(Path folder) {
        return ChildJvm.start(
                JvmCommand.of(
                        Counter.class.getName(), List.of(folder.resolve("count").toString())),
                folder.resolve("counter.log"));
    }

    private void awaitProgress() {
        long before = count();
        await().atMost(TIMEOUT).until(() -> count() != before);
    }

    private long count() {
        return folder.resolve("count").toFile().length();
    }
}
