package io.taskmaster.testkit.process;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that does not run for a while. It is stopped by a shell which lets it go on as soon as we say so, or are gone: a stopped
 * process could not find out by itself that its parent died, and would stay for ever.
 */
final class Pause implements AutoCloseable {

    private static final String SCRIPT =
            "trap '' INT TERM HUP; kill -STOP $0 && echo stopped; read -r _; kill -CONT $0 2>/dev/null; true";
    private static final long GRACE_SECONDS = 10;

    private final Process shell;

    private Pause(Process shell) {
        this.shell = shell;
    }

    /** Stops a process; it is stopped when this returns. */
    static Pause of(long pid) throws IOException {
        Process shell = new ProcessBuilder(List.of("sh", "-c", SCRIPT, Long.toString(pid)))
                .redirectError(Redirect.DISCARD)
                .start();
        // A process that is gone is not stopped, and then the shell's output ends.
        shell.getInputStream().read();
        return new Pause(shell);
    }

    /** Lets it go on. Idempotent; blocks until it is told. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
            if (!shell.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the shell that holds a stopped process does not end: " + shell.pid());
            }
        } catch (IOException gone) {
            // Its end is what we want.
        } catch (InterruptedException e) {
            // Its input has ended, so it does what it has to.
            Thread.currentThread().interrupt();
        }
    }
}
