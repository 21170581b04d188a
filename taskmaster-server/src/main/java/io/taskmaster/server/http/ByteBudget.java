package io.taskmaster.server.http;

import io.helidon.http.media.ReadableEntity;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of bodies this port holds at once: those of requests until they are answered, those of replies until the network
 * has taken them. The service counts messages of its own; this is about the text around them. Thread-safe, lock-free.
 */
final class ByteBudget {

    private static final int CHUNK_BYTES = 16 << 10;
    private static final Duration RETRY = Duration.ofMillis(100);

    private final long max;
    private final AtomicLong held = new AtomicLong();

    ByteBudget(long max) {
        this.max = max;
    }

    /** The part of one request; gives everything back when it is closed. Single-threaded: owned by the thread of the request. */
    final class Share implements AutoCloseable {

        private long bytes;

        /** Reads to the end, as long as there is room for it. */
        byte[] readAll(ReadableEntity body) throws BrokenBodyException {
            var read = new ByteArrayOutputStream();
            byte[] chunk = new byte[CHUNK_BYTES];
            try {
                // Not closed: that would read on to the end, also of a body that has none.
                InputStream in = body.inputStream();
                for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                    take(n);
                    read.write(chunk, 0, n);
                }
            } catch (TaskMasterException noRoom) {
                throw noRoom;
            } catch (IOException | RuntimeException broken) {
                // What the web server throws about a body is of many kinds; that it was the caller is common to all.
                throw new BrokenBodyException(broken);
            }
            return read.toByteArray();
        }

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
