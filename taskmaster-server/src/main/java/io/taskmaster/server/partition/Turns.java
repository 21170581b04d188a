package io.taskmaster.server.partition;

/**
 * The turns that a partition takes on its loop, and the time in them. What gathers in a turn (atoms, point reads) goes out together
 * at its end. Time never goes back within an epoch, whatever the clock does: an expired lease stays expired. Single-threaded: owned
 * by the partition's loop.
 */
final class Turns {

    /** How often somebody who waits for memory looks whether there is some: other partitions give it back too, and tell nobody. */
    private static final long LOOK_MILLIS = 10;

    private final PartitionLoop loop;
    private final Runnable end;

    private long nowMillis;
    private boolean endsSoon;
    private boolean endsInAWhile;
    private boolean stopped;

    /**
     * @param end runs at the end of a turn
     */
    Turns(PartitionLoop loop, Runnable end) {
        this.loop = loop;
        this.end = end;
    }

    long now() {
        nowMillis = Math.max(nowMillis, loop.nowMillis());
        return nowMillis;
    }

    /** What {@link #now} said last: the time at which the request at hand was decided. */
    long lastNow() {
        return nowMillis;
    }

    /** Something may have to go out at the end of this turn. */
    void endLater() {
        if (!endsSoon && !stopped) {
            endsSoon = true;
            loop.execute(this::end);
        }
    }

    /** Somebody waits for what other partitions give back, and tell nobody of: ends a turn a little later, whatever happens here. */
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
