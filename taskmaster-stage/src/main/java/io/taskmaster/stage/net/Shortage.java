package io.taskmaster.stage.net;

import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time for which the memory of an endpoint is short: from the moment when somebody has to wait, or is refused, until nobody was for a while. As long as it lasts, all connections are looked at every so
 * often, and those that hold much and whose peers do not move are ended ({@link Standstill}). Thread-safe.
 */
final class Shortage implements Budget.Hears {

    private static final Logger LOG = LoggerFactory.getLogger(Shortage.class);

    /** In one time that peers have to move, all connections are looked at so often. */
    private static final int LOOKS = 4;

    /** Those that were called and read nothing are waited for so long, before others are called. */
    private static final long SOON_MILLIS = 10;

    private final EventLoopGroup loops;
    private final long betweenLooksNanos;
    private final Runnable outputFell;
    private final LongConsumer look;
    private final Budget budget;
    private final AtomicBoolean isOn = new AtomicBoolean();
    private final AtomicBoolean isServedSoon = new AtomicBoolean();
    private volatile boolean isPressed;
    private volatile long sinceNanos;

    /** @param look is to look at all connections; it is told since when memory is short */
    Shortage(EndpointSettings settings, EventLoopGroup loops, Runnable outputFell, LongConsumer look) {
        this.loops = loops;
        this.betweenLooksNanos = Patience.ofPeers(settings).toNanos() / LOOKS;
        this.outputFell = outputFell;
        this.look = look;
        this.budget = new Budget(settings.maxMemoryBytes(), settings.maxConnections(), this);
    }

    Budget budget() {
        return budget;
    }

    @Override
    public void pressed() {
        isPressed = true;
        if (isOn.compareAndSet(false, true)) {
            sinceNanos = loops.next().ticker().nanoTime();
            schedule(this::lookAround, betweenLooksNanos);
        }
    }

    private void lookAround() {
        boolean goesOn = isPressed || budget.waiting() > 0;
        isPressed = false;
        if (goesOn) {
            look.accept(sinceNanos);
            schedule(this::lookAround, betweenLooksNanos);
            return;
        }
        isOn.set(false);
        if (isPressed || budget.waiting() > 0) {
            pressed();
        }
    }

    @Override
    public void outputFell() {
        outputFell.run();
    }

    @Override
    public void serveSoon() {
        if (isServedSoon.compareAndSet(false, true)) {
            schedule(
                    () -> {
                        isServedSoon.set(false);
                        budget.serve();
                    },
                    Duration.ofMillis(SOON_MILLIS).toNanos());
        }
    }

    private void schedule(Runnable step, long nanos) {
        try {
            var _ = loops.next().schedule(step, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException ended) {
            LOG.debug("the sockets are closed", ended);
        }
    }
}
