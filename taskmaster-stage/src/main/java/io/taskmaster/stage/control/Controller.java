package io.taskmaster.stage.control;

import java.time.Duration;

/**
 * A setting that follows the samples of its stage. A pure function, so that it can be tested without a stage:
 * {@link #after} makes the controller that has seen one sample more. Immutable; implementations have to be, too.
 */
public interface Controller {

    /** The wait of events above which {@link #threadPool} tries more workers. */
    Duration DEFAULT_MAX_WAIT = Duration.ofMillis(100);

    /** The present setting. */
    int setting();

    /**
     * The range of all settings that it may ever choose. A durable stage needs one, to bound its tasks in flight
     * beforehand; {@link Range#ANY} is too wide for it.
     */
    default Range range() {
        return Range.ANY;
    }

    /**
     * Returns the controller after one sample more. Samples come at even intervals; {@link #setting} applies from
     * before the first one.
     */
    Controller after(Sample sample);

    /**
     * Controls the number of workers by {@link #threadPool(int, int, Duration)}, with a wait of
     * {@link #DEFAULT_MAX_WAIT}; begins with the least.
     */
    static Controller threadPool(int min, int max) {
        return threadPool(min, max, DEFAULT_MAX_WAIT);
    }

    /**
     * Controls the number of workers (SEDA, "Thread Pool Controller"): more while events wait longer than
     * {@code maxWait} and more workers get more done, fewer when some are idle. Unlike SEDA's it looks at the wait, not
     * at the length of the line, and takes a worker back that was of no use.
     */
    static Controller threadPool(int min, int max, Duration maxWait) {
        return ThreadPool.of(new Range(min, max), maxWait);
    }

    /**
     * Controls the number of workers by the time that handlers take: fewer when they take longer than they do while
     * there are few, which shows that something downstream is saturated; slightly more each time they do not. For
     * stages whose handlers wait for another system.
     */
    static Controller gradient(int min, int max) {
        return Gradient.of(new Range(min, max));
    }

    /**
     * Controls the batch size (SEDA, "Batching Controller"): the smallest batches that get as much done as the largest.
     * Smaller ones are tried while events wait and the rate keeps up; the largest is set again when the load drops.
     */
    static Controller batching(int min, int max) {
        return Batching.of(new Range(min, max));
    }
}
