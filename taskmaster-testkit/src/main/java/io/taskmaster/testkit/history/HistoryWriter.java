package io.taskmaster.testkit.history;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A writer of a history file, with a line for each event.
 *
 * <p>Each line is handed to the operating system before its call proceeds, so that a process that is killed leaves
 * behind the calls that it had in flight. Thread-safe. Throws {@link UncheckedIOException} if the file cannot be
 * written.
 */
public final class HistoryWriter implements HistorySink, AutoCloseable {

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Writer out;

    @GuardedBy("lock")
    private long last;

    private HistoryWriter(Writer out) {
        this.out = out;
    }

    /** Creates a file. It must not exist yet. */
    public static HistoryWriter create(Path file) throws IOException {
        return new HistoryWriter(Files.newBufferedWriter(
                file, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    /** Writes a complete history. */
    public static void write(Path file, History history) throws IOException {
        try (HistoryWriter writer = create(file)) {
            for (RecordedCall call : history.calls()) {
                long number = writer.invoked(call.client(), call.invokedMicros(), call.request());
                if (call.completedMicros() != RecordedCall.NEVER) {
                    writer.completed(number, call.completedMicros(), call.recordedOutcome());
                }
            }
        }
    }

    @Override
    public long invoked(String client, long micros, Message request) {
        lock.lock();
        try {
            long number = ++last;
            append(new HistoryEvent.Invoked(number, client, micros, request));
            return number;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void completed(long number, long micros, RecordedOutcome recordedOutcome) {
        lock.lock();
        try {
            append(new HistoryEvent.Completed(number, micros, recordedOutcome));
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void append(HistoryEvent event) {
        try {
            out.write(HistoryCodec.encode(event));
            out.write('\n');
            out.flush();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            out.close();
        } finally {
            lock.unlock();
        }
    }
}
