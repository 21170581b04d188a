package io.taskmaster.simulation.world;

import io.taskmaster.server.partition.Clock;
import io.taskmaster.server.partition.EngineClock;

/**
 * The clocks of one process. Its wall clock is apart from those of the others, a little fast or slow, and set anew now and then; its monotonic
 * one is right. Both go in ticks, as the world's does. Single-threaded.
 */
public final class ProcessClock implements Clock {

    /** Beyond what is allowed for: ticks of both clocks, and what is less than a difference. */
    private static final long SLACK_MILLIS = 2 * World.TICK_MILLIS;

    /** However often it is set: more than a day is followed at once, and another promise. */
    private static final long FARTHEST_MILLIS = 12 * 3_600_000L;

    private final World world;
    private final double drift;
    private final long skewMillis;
    private long offsetMillis;
    private long setAtMicros = Long.MAX_VALUE;

    /**
     * @param drift how much faster the wall clock goes than time
     */
    public ProcessClock(World world, long skewMillis, double drift) {
        this.world = world;
        this.skewMillis = skewMillis;
        this.drift = drift;
        this.offsetMillis = skewMillis;
    }

    /** Somebody sets the wall clock. */
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
     * How far from the right time a server that keeps its promise may be by now: as far as the wall clock was when it began, and as drifts
     * took it since; once the clock was set, what it may have been slewed by. Not by how far it was set.
     */
    long farthestMillis() {
        long micros = world.micros();
        long drifted = (long) Math.ceil(Math.abs(micros * drift) / 1_000);
        long slewed = Math.max(0, micros - setAtMicros) / EngineClock.SLEW / 1_000;
        return Math.abs(skewMillis) + drifted + slewed + SLACK_MILLIS;
    }
}
