package io.taskmaster.stage.net;

import io.netty.channel.EventLoop;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A FIFO line of connections, of one endpoint and one event loop, whose message the sink has refused. The first one
 * asks again when a message is {@linkplain #signal done}, or after the delay that the sink gave; those behind it do not
 * ask before it got in. So a full sink is asked seldom, and no connection is passed over. Single-threaded: owned by
 * that event loop, but for {@link #signal}.
 */
final class WaitQueue {

    private final EventLoop loop;
    private final SequencedSet<ConnectionHandler> queue = new LinkedHashSet<>();
    private final AtomicBoolean isSignalled = new AtomicBoolean();
    private volatile boolean isWaiting;
    private boolean isTimed;

    WaitQueue(EventLoop loop) {
        this.loop = loop;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Appends a connection. */
    void join(ConnectionHandler last) {
        boolean isFirst = queue.isEmpty();
        queue.add(last);
        isWaiting = true;
        if (isFirst) {
            // The sink may have had space since it refused the message, and pokes were ignored until now.
            signal();
        }
    }

    void remove(ConnectionHandler connectionHandler) {
        if (queue.remove(connectionHandler) && queue.isEmpty()) {
            isWaiting = false;
        }
    }

    /** Calls the line, since the sink may have space. Thread-safe. */
    void signal() {
        if (isWaiting && isSignalled.compareAndSet(false, true)) {
            try {
                loop.execute(this::serve);
            } catch (RejectedExecutionException ended) {
                isWaiting = false;
            }
        }
    }

    private void serve() {
        // Cleared first, so that a message that is done during the walk pokes again.
        isSignalled.set(false);
        while (!queue.isEmpty()) {
            ConnectionHandler first = queue.getFirst();
            Optional<Duration> refused = first.offer();
            if (refused.isPresent()) {
                retryAfter(refused.get());
                return;
            }
            queue.remove(first);
            first.readMessages();
        }
        isWaiting = false;
    }

    private void retryAfter(Duration delay) {
        if (!isTimed) {
            isTimed = true;
            var unused = loop.schedule(
                    () -> {
                        isTimed = false;
                        signal();
                    },
                    Deadlines.nanos(delay),
                    TimeUnit.NANOSECONDS);
        }
    }
}
