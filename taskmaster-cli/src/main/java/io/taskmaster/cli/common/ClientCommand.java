package io.taskmaster.cli.common;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.program.ExitStatus;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A command that calls a server. */
@Command(mixinStandardHelpOptions = true, versionProvider = VersionLine.class, footerHeading = "%nExamples:%n")
public abstract class ClientCommand implements Callable<Integer> {

    /** Enough for a server that is just opening, and short enough for a user when there is none. */
    private static final int RETRIES = 3;

    private final Terminal terminal;

    @Mixin
    private final ClientOptions options = new ClientOptions();

    public ClientCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public final Integer call() throws Exception {
        options.complete(terminal.environment());
        try (TaskMasterClient client = options.connect(maxRetries(), action())) {
            return run(client).code();
        } catch (TaskMasterException e) {
            throw options.usesTls() ? e : TlsProbe.explain(e, options.server());
        }
    }

    /** The number of retries of a call at most, within the timeout. */
    public int maxRetries() {
        return RETRIES;
    }

    /** The action by which the command's updates are audited; empty for updates of a worker. */
    public Optional<String> action() {
        return Optional.empty();
    }

    public abstract ExitStatus run(TaskMasterClient client) throws Exception;

    public final Terminal terminal() {
        return terminal;
    }

    public final ClientOptions options() {
        return options;
    }

    public final void println(Object line) {
        terminal.out().println(line);
    }

    /** Blocks for this long. */
    public static void pause(Duration span) {
        new CompletableFuture<>()
                .completeOnTimeout("", Deadlines.nanos(span), TimeUnit.NANOSECONDS)
                .join();
    }

    /** Prints one line to standard error, and returns the status for failure. */
    public final ExitStatus fail(String line) {
        terminal.err().println("taskmaster: " + line);
        return ExitStatus.FAILURE;
    }
}
