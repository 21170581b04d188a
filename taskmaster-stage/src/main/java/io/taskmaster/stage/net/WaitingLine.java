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
 * Connections of one endpoint and one thread whose message the sink has no room for, in the order in which they came. The first one asks again when a message
 * is {@linkplain #poke done}, or when the sink said; those behind it do not ask before it got in. So a full sink is asked seldom, and nobody is passed over.
 * Single-threaded: owned by that thread, but for {@link #poke}.
 */
final class WaitingLine {

    private final EventLoop loop;
    private final SequencedSet<Conversation> line = new LinkedHashSet<>();
    private final AtomicBoolean isPoked = new AtomicBoolean();
    private volatile boolean isWaiting;
    private boolean isTimed;

    WaitingLine(EventLoop loop) {
        this.loop = loop;
    }

    boolean isEmpty() {
        return line.isEmpty();
    }

    /** Somebody goes to the end of it. */
    void join(Conversation last) {
        boolean isFirst = line.isEmpty();
        line.add(last);
        isWaiting = true;
        if (isFirst) {
            // There may have been room since it was refused, when nobody would have poked us.
            poke();
        }
    }

    void leave(Conversation one) {
        if (line.remove(one) && line.isEmpty()) {
            isWaiting = false;
        }
    }

    /** There may be room. Thread-safe. */
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
        isPoked.set(false);
        while (!line.isEmpty()) {
            Conversation first = line.getFirst();
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
            var _ = loop.schedule(
                    () -> {
                        isTimed = false;
                        poke();
                    },
                    Deadlines.nanos(delay),
                    TimeUnit.NANOSECONDS);
        }
    }
}
