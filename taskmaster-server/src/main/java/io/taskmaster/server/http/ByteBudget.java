package io.taskmaster.server.http;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of bodies this port holds at once: those of requests until they are answered, those of replies until the network
 * has taken them. The service counts messages of its own; this is about the text around them. Thread-safe, lock-free.
 */
final class ByteBudget {

    private static final Duration RETRY = Duration.ofMillis(100);

    private final long max;
    private final AtomicLong held = new AtomicLong();

    ByteBudget(long max) {
        this.max = max;
    }

    /** The part of one request; gives everything back when it is closed. Single-threaded: handed on with the request. */
    final class Share implements AutoCloseable {

        private long bytes;

        /** Takes more, or refuses. */
        void take(long more) {
            bytes += more;
            if (held.addAndGet(more) > max) {
                throw TaskMasterException.withoutStackTrace(
                        ErrorCode.OVERLOADED,
                        "in-flight.bytes: reached over HTTP (expected: at most " + max + ")",
                        RETRY,
                        null);
            }
        }

        /** Takes more without being refused: the work is done, so its reply counts against those who come later. */
        void takeForReply(long more) {
            bytes += more;
            held.addAndGet(more);
        }

        @Override
        public void close() {
            held.addAndGet(-bytes);
            bytes = 0;
        }
    }

    Share share() {
        return new Share();
    }

    long held() {
        return held.get();
    }
}
