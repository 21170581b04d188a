package io.taskmaster.stage.control;

import java.time.Duration;

/**
 * A setting that follows what its stage does. A pure function of samples, so that it is tried out without a stage: {@link #after} makes the
 * controller that has seen one sample more. Immutable; whoever writes one keeps to that.
 */
public interface Controller {

    /** How long events may wait before {@link #threadPool} tries more workers. */
    Duration DEFAULT_MAX_WAIT = Duration.ofMillis(100);

    /** What to set at present. */
    int setting();

    /** What it may set, ever. A durable stage has to know, to say beforehand what it has in hand at most; {@link Range#ANY} is too much for it. */
    default Range range() {
        return Range.ANY;
    }

    /** It, after one sample more; samples come at even intervals, and what is {@link #setting} is set from the first one on. */
    Controller after(Sample sample);

    /** As many workers as are needed; begins with the least, and lets events wait for {@link #DEFAULT_MAX_WAIT}. */
    static Controller threadPool(int least, int most) {
        return threadPool(least, most, DEFAULT_MAX_WAIT);
    }

    /**
     * As many workers as are needed (SEDA, "Thread Pool Controller"): more while events wait too long and more get more done, fewer when some are
     * idle. Unlike SEDA's it looks at the wait, not at the length of the line, and takes a worker back that was of no use.
     */
    static Controller threadPool(int least, int most, Duration maxWait) {
        return ThreadPool.of(new Range(least, most), maxWait);
    }

    /**
     * As many workers as what they call can take: fewer when handlers take longer than they do while there are few, which tells that something behind
     * them is full; some more each time they do not. For stages whose handlers wait for somebody else.
     */
    static Controller gradient(int least, int most) {
        return Gradient.of(new Range(least, most));
    }

    /**
     * The smallest batches with which as much is done as with the largest (SEDA, "Batching Controller"): smaller ones while events wait for their
     * turn and the rate keeps up; the largest again when the load drops.
     */
    static Controller batching(int least, int most) {
        return Batching.of(new Range(least, most));
    }
}
