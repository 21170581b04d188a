package io.taskmaster.proxy.http;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A budget for the bodies in memory of the HTTP port, in bytes: those of requests until they are answered, those of
 * replies until the network has taken them. The service counts its messages separately; this budget is for the text
 * around them. Thread-safe: lock-free.
 */
final class ByteBudget {

    private static final Duration RETRY = Duration.ofMillis(100);

    private final long max;
    private final AtomicLong held = new AtomicLong();

    ByteBudget(long max) {
        this.max = max;
    }

    /**
     * The bytes of one request, which are released when it is closed. Single-threaded: owned by the request, and handed
     * from thread to thread with it.
     */
    final class Share implements AutoCloseable {

        private long bytes;

        /** Takes more bytes, or throws {@code OVERLOADED}. Refused bytes count, too, until the share is closed. */
        void acquire(long more) {
            bytes += more;
            if (held.addAndGet(more) > max) {
                throw TaskMasterException.withoutStackTrace(
                        ErrorCode.OVERLOADED,
                        "in-flight.bytes: limit reached over HTTP (expected: at most " + max + " bytes)",
                        RETRY,
                        null);
            }
        }

        /**
         * Takes more bytes for a reply. Never refuses: the work is done, so the reply counts against later requests.
         */
        void acquireForReply(long more) {
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
