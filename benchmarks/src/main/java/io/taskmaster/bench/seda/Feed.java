package io.taskmaster.bench.seda;

import com.google.common.util.concurrent.Uninterruptibles;
import io.taskmaster.client.ServiceClass;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;

/**
 * A source that offers events at a given rate and at random instants (a Poisson process), whether the stage keeps up or
 * not. If its thread is late, the response time of an event still counts from the instant at which it was due.
 * Thread-safe.
 */
final class Feed implements AutoCloseable {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final long SEED = 42;

    private final Load load;
    private final Consumer<Event> offer;
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Thread thread;
    private volatile boolean closed;

    /**
     * The load of a feed. Immutable.
     *
     * @param perSecond the rate, as a function of the seconds since the start
     * @param interactiveShare the share of events of class INTERACTIVE; the others are of class BULK
     */
    record Load(DoubleUnaryOperator perSecond, double interactiveShare) {

        static Load of(double perSecond) {
            return new Load(_ -> perSecond, 1);
        }
    }

    Feed(Load load, Consumer<Event> offer) {
        this.load = load;
        this.offer = offer;
        this.thread = Thread.ofPlatform().name("feed").start(this::run);
    }

    private void run() {
        long startNanos = System.nanoTime();
        double dueNanos = 0;
        while (!closed) {
            dueNanos += pauseNanos(dueNanos);
            long bornNanos = startNanos + Math.round(dueNanos);
            for (long remainingNanos = bornNanos - System.nanoTime();
                    remainingNanos > 0 && !closed;
                    remainingNanos = bornNanos - System.nanoTime()) {
                LockSupport.parkNanos(remainingNanos);
            }
            ServiceClass serviceClass =
                    random.nextDouble() < load.interactiveShare() ? ServiceClass.INTERACTIVE : ServiceClass.BULK;
            offer.accept(new Event(bornNanos, random.nextDouble(), serviceClass));
        }
    }

    private double pauseNanos(double nowNanos) {
        double perSecond = load.perSecond().applyAsDouble(nowNanos / NANOS_PER_SECOND);
        return -Math.log(1 - random.nextDouble()) * NANOS_PER_SECOND / perSecond;
    }

    /** Ends the feed. Blocks until its thread has ended. Idempotent. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        Uninterruptibles.joinUninterruptibly(thread);
    }
}
