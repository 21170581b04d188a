package io.taskmaster.examples.conversion.converter;

import io.taskmaster.examples.conversion.stage.ConversionFailedException;
import io.taskmaster.examples.demo.process.JavaCommand;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A converter in a process of its own, so that a document can crash nothing else. The process is started on demand, and
 * again after it died. Used by one thread at a time, as the pool arranges; any thread may close it.
 */
final class ConverterProcess implements AutoCloseable {

    /** The time after which a converter counts as hung. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static final Executor AFTER_LIMIT =
            CompletableFuture.delayedExecutor(LIMIT.toMillis(), TimeUnit.MILLISECONDS);

    private static final List<String> COMMAND = JavaCommand.of(
            List.of(
                    "-Xmx64m",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+ExitOnOutOfMemoryError",
                    "-XX:+DisplayVMOutputToStderr"),
            ConverterMain.class,
            List.of());

    /**
     * The exit statuses of a JVM that SIGHUP, SIGINT or SIGTERM ended. Ctrl-C reaches all processes of a terminal, so
     * that is not the document's fault.
     */
    private static final Set<Integer> TOLD_TO_END = Set.of(129, 130, 143);

    private final List<String> command;

    private volatile @Nullable Process process;

    ConverterProcess() {
        this(COMMAND);
    }

    ConverterProcess(List<String> command) {
        this.command = command;
    }

    /**
     * Converts a document. Blocks, for {@link #LIMIT} at most.
     *
     * @throws IOException if there is no converter, or a signal ended it: that is no failure of the conversion
     */
    String convert(ConverterRequest request) throws ConversionFailedException, IOException, InterruptedException {
        Process converter = running();
        CompletableFuture<?> alarm = CompletableFuture.runAsync(converter::destroyForcibly, AFTER_LIMIT);
        boolean fit = false;
        try {
            ConverterReply reply = ask(converter, request);
            fit = alarm.cancel(false);
            return switch (reply) {
                case ConverterReply.Converted(String markdown) -> markdown;
                case ConverterReply.Failed(String reason) -> throw new ConversionFailedException(reason);
            };
        } finally {
            alarm.cancel(false);
            if (!fit) {
                // The process has ended or is about to, and must not get the next document.
                converter.destroyForcibly();
                process = null;
            }
        }
    }

    private Process running() throws IOException {
        Process converter = process;
        if (converter == null || !converter.isAlive()) {
            converter =
                    new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
            process = converter;
        }
        return converter;
    }

    private static ConverterReply ask(Process converter, ConverterRequest request)
            throws ConversionFailedException, IOException, InterruptedException {
        try {
            request.write(new DataOutputStream(new BufferedOutputStream(converter.getOutputStream())));
            return ConverterReply.read(new DataInputStream(converter.getInputStream()));
        } catch (IOException itsEnd) {
            int status = converter.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                    ? converter.exitValue()
                    : converter.destroyForcibly().waitFor();
            if (TOLD_TO_END.contains(status)) {
                throw new IOException("the converter was stopped", itsEnd);
            }
            throw new ConversionFailedException("the converter ended with status " + status);
        }
    }

    @Override
    public void close() {
        Process converter = process;
        if (converter != null) {
            converter.destroyForcibly();
        }
    }
}
