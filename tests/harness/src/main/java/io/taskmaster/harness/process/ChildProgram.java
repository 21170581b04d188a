package io.taskmaster.harness.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A native program in a process of its own. Its output is appended to a log.
 *
 * <p>It never outlives this process: a shell watches its own standard input, whose other end this process holds, and
 * kills the program when that is closed. Thread-safe.
 */
public final class ChildProgram implements AutoCloseable {

    /**
     * The shell's script, whose arguments are the words of the program. The shell lives exactly as long as the program.
     * The wait for the end of the input is in a subshell that runs nothing else that could stay behind.
     */
    private static final String SCRIPT = """
            exec 3<&0
            "$@" </dev/null 3<&- &
            program=$!
            { read -r _; kill -KILL "$program"; } <&3 3<&- 2>/dev/null &
            watch=$!
            exec 3<&-
            wait "$program"
            kill "$watch" 2>/dev/null
            """;

    private static final long END_LIMIT_SECONDS = 10;

    private final Process shell;
    private final Path log;

    private ChildProgram(Process shell, Path log) {
        this.shell = shell;
        this.log = log;
    }

    /** Starts a program. */
    public static ChildProgram start(List<String> programCommand, Path log) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh"));
        command.addAll(programCommand);
        try {
            Process shell = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.appendTo(log.toFile()))
                    .start();
            return new ChildProgram(shell, log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + programCommand.getFirst(), e);
        }
    }

    /** Returns whether it runs. */
    public boolean isAlive() {
        return shell.isAlive();
    }

    /** Returns the end of its output. */
    public String lastOutput() {
        return LogFile.lastLines(log);
    }

    /** Kills it for good; it has ended when this returns. Idempotent; blocks. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
            if (!shell.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("a program that was killed does not end: " + lastOutput());
            }
        } catch (IOException ended) {
            // The shell has ended already, as intended.
        } catch (InterruptedException e) {
            // Its input has ended, so the program is killed nevertheless.
            Thread.currentThread().interrupt();
        }
    }
}
