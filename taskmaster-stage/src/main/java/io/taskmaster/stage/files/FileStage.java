package io.taskmaster.stage.files;

import io.taskmaster.client.Timer;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.Sink;
import io.taskmaster.stage.local.Boundary;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStages;
import io.taskmaster.stage.local.LocalStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * A local stage that reads and writes files. Thread-safe; does not block unless its boundary says so.
 *
 * <p>An order is either refused or ends with one {@linkplain FileReply last reply}, unless the sink refuses that for a
 * minute. A worker whose reply is refused for want of space waits, so a reader is as fast as its sink. The memory of
 * all orders, from when they are taken to their last reply, is bounded. Replies must not go to a stage that may wait
 * for this one.
 */
public final class FileStage {

    /** The largest content, chunk or line. */
    public static final int MAX_BYTES = 1 << 30;

    private static final Refused FULL = new Refused(Cause.FULL, Duration.ofMillis(100));
    private static final Refused TOO_LARGE = new Refused(Cause.TOO_LARGE, Duration.ofMillis(100));

    private final LocalStage<FileOrder> stage;
    private final long maxBytes;
    private final AtomicLong bytesInFlight = new AtomicLong();

    private FileStage(LocalStage<FileOrder> stage, long maxBytes) {
        this.stage = stage;
        this.maxBytes = maxBytes;
    }

    /**
     * Adds such a stage, which is removed like any other local stage.
     *
     * @param capacity the number of orders that may wait
     * @param maxBytes the memory for content that is read or to be written, from when an order is taken to its last
     *     reply
     * @param boundary the settings of its boundary, above all its workers. Where it degrades or spills, an order goes
     *     to another handler, which has to give the last reply
     */
    public static FileStage add(
            LocalStages stages, String name, int capacity, long maxBytes, UnaryOperator<Boundary<FileOrder>> boundary) {
        if (maxBytes < 1) {
            throw new IllegalArgumentException("maxBytes: %d (expected: 1 or more)".formatted(maxBytes));
        }
        return new FileStage(
                stages.add(
                        name,
                        stage -> stage.handler(FileOrder::run)
                                .boundary(
                                        capacity, plain -> boundary.apply(plain).blocking())),
                maxBytes);
    }

    /** Reads a whole file of at most {@code maxBytes}: a {@link FileReply.Content}. */
    public Admission read(Path path, int maxBytes, Sink<? super FileReply> answers) {
        return order(path, within(maxBytes), replies -> FileRead.wholeFile(path, maxBytes, replies), answers);
    }

    /** Reads a file in chunks of {@code bytes} bytes: {@link FileReply.Chunk}s and an {@link FileReply.End}. */
    public Admission chunks(Path path, int bytes, Sink<? super FileReply> answers) {
        return order(path, within(bytes), replies -> FileRead.chunks(path, bytes, replies), answers);
    }

    /**
     * Reads the lines of a file, each of at most {@code maxBytes}: {@link FileReply.Line}s and an
     * {@link FileReply.End}.
     */
    public Admission lines(Path path, int maxBytes, Sink<? super FileReply> answers) {
        return order(path, within(maxBytes), replies -> FileRead.lines(path, maxBytes, replies), answers);
    }

    /** Writes to a file: a {@link FileReply.Written}. */
    public Admission write(FileWrite write, Sink<? super FileReply> answers) {
        int bytes = write.content().size();
        return order(
                write.path(),
                bytes,
                replies -> {
                    write.run();
                    replies.give(new FileReply.Written(write.path(), bytes));
                },
                answers);
    }

    private static int within(int bytes) {
        if (bytes < 1 || bytes > MAX_BYTES) {
            throw new IllegalArgumentException("bytes: %d (expected: 1 to %d)".formatted(bytes, MAX_BYTES));
        }
        return bytes;
    }

    private Admission order(Path path, long bytes, FileOrder.Work work, Sink<? super FileReply> answers) {
        if (bytes > maxBytes) {
            return TOO_LARGE;
        }
        if (bytesInFlight.addAndGet(bytes) > maxBytes) {
            bytesInFlight.addAndGet(-bytes);
            return FULL;
        }
        FileOrder order =
                new FileOrder(path, bytes, work, answers, Timer.SYSTEM, () -> bytesInFlight.addAndGet(-bytes));
        Admission admission = null;
        try {
            admission = stage.offer(order);
            return admission;
        } finally {
            // Also if offer() has thrown, as it does where the boundary has a cost function that throws.
            if (admission != Taken.ACCEPTED) {
                order.ended();
            }
        }
    }

    /** The memory of the orders in flight, in bytes. */
    public long bytesInHand() {
        return bytesInFlight.get();
    }

    /** Returns the status of its local stage. */
    public LocalStatus status() {
        return stage.status();
    }
}
