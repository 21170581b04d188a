package io.taskmaster.stage.files;

import io.taskmaster.client.Timer;
import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.stage.Answerable;
import io.taskmaster.stage.Sink;
import io.taskmaster.time.Deadlines;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** An order to read or write a file, which passes through a {@link FileStage}. Thread-safe. */
public final class FileOrder implements Answerable {

    /** The work of an order. Blocks. */
    interface Work {

        void run(FileRead.Answers answers) throws IOException, InterruptedException;
    }

    /** The time for which a reply that the sink refuses is retried before its order is dropped. */
    static final Duration REPLY_TIMEOUT = Duration.ofMinutes(1);

    private final Path path;
    private final long bytes;
    private final Work work;
    private final Sink<? super FileReply> answers;
    private final Timer timer;
    private final Runnable ended;
    private final AtomicBoolean isEnded = new AtomicBoolean();

    /**
     * @param bytes the memory that the order takes
     * @param ended called once, when it takes the memory no longer
     */
    FileOrder(Path path, long bytes, Work work, Sink<? super FileReply> answers, Timer timer, Runnable ended) {
        this.path = path;
        this.bytes = bytes;
        this.work = work;
        this.answers = answers;
        this.timer = timer;
        this.ended = ended;
    }

    public Path path() {
        return path;
    }

    /** The memory that the order takes, in bytes. */
    public long bytes() {
        return bytes;
    }

    /**
     * Does the work, and gives its replies to the sink. Blocks.
     *
     * @throws IllegalStateException if the sink refuses a reply for good, or for {@link #REPLY_TIMEOUT}
     */
    void run() throws InterruptedException {
        try {
            work.run(this::give);
        } catch (IOException e) {
            give(new FileReply.Failed(path, FileReply.Cause.of(e), e.toString()));
        }
        ended();
    }

    /** Releases the memory of the order. Idempotent. */
    void ended() {
        if (isEnded.compareAndSet(false, true)) {
            ended.run();
        }
    }

    private void give(FileReply reply) throws InterruptedException {
        long deadlineNanos = timer.nanoTime() + REPLY_TIMEOUT.toNanos();
        while (answers.offer(reply) instanceof Refused(Cause cause, Duration retryAfter)) {
            boolean isNever = cause == Cause.CLOSED || cause == Cause.TOO_LARGE;
            if (isNever || timer.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException("the sink refused the reply: " + cause);
            }
            CountDownLatch waited = new CountDownLatch(1);
            timer.schedule(waited::countDown, Deadlines.nanos(retryAfter));
            waited.await();
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>Notifies the sink, if it takes that reply now.
     */
    @Override
    public void dropped(String reason) {
        try {
            answers.offer(new FileReply.Failed(path, FileReply.Cause.DROPPED, reason));
        } finally {
            ended();
        }
    }
}
