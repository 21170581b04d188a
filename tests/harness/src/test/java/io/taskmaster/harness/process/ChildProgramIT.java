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

final class ChildProgramIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @TempDir
    private Path folder = Path.of("");

    /** A main program that starts a program without an end, and waits for its own end. */
    static final class Parent {

        private Parent() {}

        public static void main(String[] arguments) throws InterruptedException {
            endless(Path.of(arguments[0]));
            Thread.currentThread().join();
        }
    }

    @Test
    void runsWithItsArgumentsUntilItEnds() {
        try (ChildProgram program =
                ChildProgram.start(List.of("printf", "%s|%s\n", "two words", "$HOME '"), folder.resolve("log"))) {
            await().atMost(TIMEOUT).until(() -> !program.isAlive());
            assertThat(program.lastOutput()).isEqualTo("two words|$HOME '");
        }
    }

    @Test
    void findsItsInputEmpty() {
        try (ChildProgram program = ChildProgram.start(List.of("cat"), folder.resolve("log"))) {
            await().atMost(TIMEOUT).until(() -> !program.isAlive());
        }
    }

    @Test
    void hasEndedWhenItIsClosed() throws IOException {
        ChildProgram program = endless(folder);
        long pid = awaitPid();
        assertThat(program.isAlive()).isTrue();

        program.close();
        program.close();

        assertThat(program.isAlive()).isFalse();
        assertThat(isAlive(pid)).isFalse();
    }

    @Test
    void doesNotOutliveAParentThatIsKilled() throws IOException {
        try (ChildJvm parent = ChildJvm.start(
                JvmCommand.of(Parent.class.getName(), List.of(folder.toString())), folder.resolve("parent.log"))) {
            long pid = awaitPid();
            assertThat(isAlive(pid)).isTrue();
            parent.kill();
            await().atMost(TIMEOUT).until(() -> !isAlive(pid));
        }
    }

    /** Starts a program that writes its process id to a file, and does not end. */
    private static ChildProgram endless(Path folder) {
        String script = "echo $$ > pid.new && mv pid.new pid && exec tail -f /dev/null";
        return ChildProgram.start(
                List.of("sh", "-c", "cd \"$0\" && " + script, folder.toString()), folder.resolve("log"));
    }

    private long awaitPid() throws IOException {
        Path file = folder.resolve("pid");
        await().atMost(TIMEOUT).until(() -> Files.exists(file));
        return Long.parseLong(Files.readString(file).strip());
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }
}
