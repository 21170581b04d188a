package io.taskmaster.server.partition;

/**
 * The loop ticks of a partition, and its time. What gathers during a tick (atoms, point reads) is sent together at its
 * end. Time never goes back within an epoch, whatever the clock does: an expired lease stays expired. Single-threaded:
 * owned by the partition's loop.
 */
final class Turns {

    /**
     * The interval at which a partition that waits for memory checks again: other partitions free memory without a
     * notification.
     */
    private static final long LOOK_MILLIS = 10;

    private final PartitionLoop loop;
    private final Runnable end;

    private long nowMillis;
    private boolean endsSoon;
    private boolean endsInAWhile;
    private boolean stopped;

    /**
     * Creates the ticks of a partition.
     *
     * @param end runs at the end of a tick
     */
    Turns(PartitionLoop loop, Runnable end) {
        this.loop = loop;
        this.end = end;
    }

    long now() {
        nowMillis = Math.max(nowMillis, loop.nowMillis());
        return nowMillis;
    }

    /** The last value of {@link #now}: the time of the decision in progress. */
    long lastNow() {
        return nowMillis;
    }

    /** Requests that the end of this tick runs: something may have to be sent. */
    void endLater() {
        if (!endsSoon && !stopped) {
            endsSoon = true;
            loop.execute(this::end);
        }
    }

    /**
     * Requests the end of a tick after a short delay. For waits for resources that other partitions free without a
     * notification.
     */
    void endInAWhile() {
        if (!endsInAWhile && !stopped) {
            endsInAWhile = true;
            loop.schedule(LOOK_MILLIS, () -> {
                endsInAWhile = false;
                endLater();
            });
        }
    }

    private void end() {
        endsSoon = false;
        if (!stopped) {
            end.run();
        }
    }

    void stop() {
        stopped = true;
    }
}
