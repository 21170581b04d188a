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
 * asks again when a message is {@linkplain #poke done}, or after the delay that the sink gave; those behind it do not
 * ask before it got in. So a full sink is asked seldom, and no connection is passed over. Single-threaded: owned by
 * that event loop, but for {@link #poke}.
 */
final class WaitQueue {

    private final EventLoop loop;
    private final SequencedSet<ConnectionHandler> line = new LinkedHashSet<>();
    private final AtomicBoolean isPoked = new AtomicBoolean();
    private volatile boolean isWaiting;
    private boolean isTimed;

    WaitQueue(EventLoop loop) {
        this.loop = loop;
    }

    boolean isEmpty() {
        return line.isEmpty();
    }

    /** Appends a connection. */
    void join(ConnectionHandler last) {
        boolean isFirst = line.isEmpty();
        line.add(last);
        isWaiting = true;
        if (isFirst) {
            // The sink may have had space since it refused the message, and pokes were ignored until now.
            poke();
        }
    }

    void leave(ConnectionHandler one) {
        if (line.remove(one) && line.isEmpty()) {
            isWaiting = false;
        }
    }

    /** Calls the line, since the sink may have space. Thread-safe. */
    void poke() {
        if (isWaiting && isPoked.compareAndSet(false, true)) {
            try {
                loop.execute(this::serve);
            } catch (RejectedExecutionException ended) {
                isWaiting = false;
            }
        }
    }

    private void serve() {
        // Cleared first, so that a message that is done during the walk pokes again.
        isPoked.set(false);
        while (!line.isEmpty()) {
            ConnectionHandler first = line.getFirst();
            Optional<Duration> refused = first.offer();
            if (refused.isPresent()) {
                askAgainAfter(refused.get());
                return;
            }
            line.remove(first);
            first.proceed();
        }
        isWaiting = false;
    }

    private void askAgainAfter(Duration delay) {
        if (!isTimed) {
            isTimed = true;
            var unused = loop.schedule(
                    () -> {
                        isTimed = false;
                        poke();
                    },
                    Deadlines.nanos(delay),
                    TimeUnit.NANOSECONDS);
        }
    }
}
