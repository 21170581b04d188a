package io.taskmaster.simulation.world;

import io.taskmaster.server.partition.loop.EngineClock;
import io.taskmaster.time.Clock;

/**
 * The clocks of one process. Its wall clock is skewed against the others, drifts, and is set now and then; its
 * monotonic clock is right. Both advance in ticks, as the simulator's. Single-threaded: owned by the simulation.
 */
public final class ProcessClock implements Clock {

    /**
     * The tolerance beyond skew, drift and slew: the ticks of both clocks, and deviations too small to be corrected.
     */
    private static final long SLACK_MILLIS = 2 * World.TICK_MILLIS;

    /**
     * The bound on the offset, however often the clock is set: a deviation of more than a day is followed at once,
     * which is another promise.
     */
    private static final long FARTHEST_MILLIS = 12 * 3_600_000L;

    private final World world;
    private final double drift;
    private final long skewMillis;
    private long offsetMillis;
    private long setAtMicros = Long.MAX_VALUE;

    /**
     * Creates clocks.
     *
     * @param drift the drift of the wall clock, as a fraction
     */
    public ProcessClock(World world, long skewMillis, double drift) {
        this.world = world;
        this.skewMillis = skewMillis;
        this.drift = drift;
        this.offsetMillis = skewMillis;
    }

    /** Sets the wall clock ahead, or back. */
    void set(long byMillis) {
        offsetMillis = Math.clamp(offsetMillis + byMillis, -FARTHEST_MILLIS, FARTHEST_MILLIS);
        setAtMicros = Math.min(setAtMicros, world.micros());
    }

    @Override
    public long wallMillis() {
        long micros = world.micros();
        return World.clockMillisAt(micros + (long) (micros * drift)) + offsetMillis;
    }

    @Override
    public long nanos() {
        return world.micros() * 1_000;
    }

    @Override
    public long elapsedNanos() {
        return world.clockMillis() * 1_000_000;
    }

    /**
     * The largest deviation from the right time that a server may have by now, if it keeps its promise: the initial
     * skew and the drift since; once the clock was set, also the slew since. The size of the step does not count.
     */
    long farthestMillis() {
        long micros = world.micros();
        long drifted = (long) Math.ceil(Math.abs(micros * drift) / 1_000);
        long slewed = Math.max(0, micros - setAtMicros) / EngineClock.SLEW / 1_000;
        return Math.abs(skewMillis) + drifted + slewed + SLACK_MILLIS;
    }
}
