package io.taskmaster.stage.files;

import io.taskmaster.client.Timer;
import io.taskmaster.stage.Admission;
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

/** Something to be done with a file, on its way through a {@link FileStage}. Thread-safe. */
public final class FileOrder implements Answerable {

    /** Blocks. */
    interface Work {

        void run(FileRead.Answers answers) throws IOException, InterruptedException;
    }

    /** How long a reply waits for room, before its order is dropped. */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Path path;
    private final long bytes;
    private final Work work;
    private final Sink<? super FileReply> answers;
    private final Timer timer;
    private final Runnable ended;
    private final AtomicBoolean isOver = new AtomicBoolean();

    /**
     * @param bytes of memory that it takes
     * @param ended hears when it does not take them any more
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

    /** How much memory it takes. */
    public long bytes() {
        return bytes;
    }

    /**
     * Blocks.
     *
     * @throws IllegalStateException if nobody takes the replies
     */
    void run() throws InterruptedException {
        try {
            work.run(this::give);
        } catch (IOException e) {
            give(new FileReply.Failed(path, FileReply.Cause.of(e), e.toString()));
        }
        over();
    }

    /** It is not in hand any more. Idempotent. */
    void over() {
        if (isOver.compareAndSet(false, true)) {
            ended.run();
        }
    }

    private void give(FileReply reply) throws InterruptedException {
        long deadlineNanos = timer.nanoTime() + PATIENCE.toNanos();
        while (answers.offer(reply) instanceof Refused(Cause cause, Duration retryAfter)) {
            boolean isNever = cause == Cause.CLOSED || cause == Cause.TOO_LARGE;
            if (isNever || timer.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException("the reply is refused: " + cause);
            }
            CountDownLatch waited = new CountDownLatch(1);
            timer.schedule(waited::countDown, Deadlines.nanos(retryAfter));
            waited.await();
        }
    }

    /** The sink hears of it, if it has room for that. */
    @Override
    public void dropped(String reason) {
        try {
            Admission _ = answers.offer(new FileReply.Failed(path, FileReply.Cause.DROPPED, reason));
        } finally {
            over();
        }
    }
}
