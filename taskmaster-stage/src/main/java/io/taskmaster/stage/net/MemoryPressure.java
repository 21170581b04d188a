package io.taskmaster.stage.net;

import io.netty.channel.EventLoopGroup;
import io.taskmaster.stage.net.memory.Budget;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shortage of memory of an endpoint: the time from when a connection has to wait, or a message is refused, until
 * neither has happened for a while. During it all connections are checked in intervals, and those that hold much and
 * whose peers make no progress are ended ({@link StallDetector}). Thread-safe.
 *
 * <pre>{@code
 * state | event                                      | next state | effect
 * OFF   | a connection waits, a message is refused   | ON         | the first check is scheduled
 * ON    | check: pressed since the last, or a line   | ON         | all connections are checked
 * ON    | check: neither                             | OFF        |
 * }</pre>
 */
final class MemoryPressure implements Budget.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(MemoryPressure.class);

    /** The number of checks in the time that peers have to make progress. */
    private static final int CHECKS_PER_TIMEOUT = 4;

    /**
     * The time for which connections that were called and have read nothing are waited for, before others are called,
     * in milliseconds.
     */
    private static final long SERVE_DELAY_MILLIS = 10;

    private final EventLoopGroup loops;
    private final long checkIntervalNanos;
    private final Runnable onOutputReleased;
    private final LongConsumer checkConnections;
    private final Budget budget;
    private final AtomicBoolean isChecking = new AtomicBoolean();
    private final AtomicBoolean serveScheduled = new AtomicBoolean();
    private final AtomicBoolean underPressure = new AtomicBoolean();
    private volatile long sinceNanos;

    /** @param checkConnections checks all connections; receives the time since when memory is short, in nanoseconds */
    MemoryPressure(
            EndpointSettings settings, EventLoopGroup loops, Runnable onOutputReleased, LongConsumer checkConnections) {
        this.loops = loops;
        this.checkIntervalNanos = SlowPeerGuard.timeout(settings).toNanos() / CHECKS_PER_TIMEOUT;
        this.onOutputReleased = onOutputReleased;
        this.checkConnections = checkConnections;
        this.budget = new Budget(settings.maxMemoryBytes(), settings.maxConnections(), this);
    }

    Budget budget() {
        return budget;
    }

    @Override
    public void onPressure() {
        underPressure.set(true);
        if (isChecking.compareAndSet(false, true)) {
            sinceNanos = loops.next().ticker().nanoTime();
            schedule(this::check, checkIntervalNanos);
        }
    }

    private void check() {
        // Read and cleared in one step, so that a signal in between is not lost.
        boolean signalled = underPressure.getAndSet(false);
        if (signalled || budget.waiting() > 0) {
            checkConnections.accept(sinceNanos);
            schedule(this::check, checkIntervalNanos);
            return;
        }
        isChecking.set(false);
        // Pressure that came while the shortage was still on has not begun a new one.
        if (underPressure.get() || budget.waiting() > 0) {
            onPressure();
        }
    }

    @Override
    public void onOutputReleased() {
        onOutputReleased.run();
    }

    @Override
    public void scheduleServe() {
        if (serveScheduled.compareAndSet(false, true)) {
            schedule(
                    () -> {
                        // The flag is cleared first, since serve() may ask for another round.
                        serveScheduled.set(false);
                        budget.serve();
                    },
                    Duration.ofMillis(SERVE_DELAY_MILLIS).toNanos());
        }
    }

    private void schedule(Runnable step, long nanos) {
        try {
            var unused = loops.next().schedule(step, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException ended) {
            LOG.debug("the sockets are closed", ended);
        }
    }
}
