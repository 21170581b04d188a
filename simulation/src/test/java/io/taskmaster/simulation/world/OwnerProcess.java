package io.taskmaster.simulation.world;

import io.taskmaster.server.partition.EngineClock;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * A process that can own the partition: what runs in it stands still when it is paused, and never runs again once it has crashed.
 * Single-threaded.
 */
public final class OwnerProcess implements Holder {

    private final World world;
    private final String name;
    private final ProcessClock clock;
    private final EngineClock engineClock;
    private Runnable atItsEnd = () -> {};
    private boolean crashed;
    private long pausedUntilMicros;
    private long steps;
    private long crashAtStep = Long.MAX_VALUE;
    private long lastSeenMicros;

    /** The time by which it acts, while it did something. */
    private final TreeSet<Long> activeMillis = new TreeSet<>();

    /** The same, by when it did that. */
    private final TreeMap<Long, Long> readMillis = new TreeMap<>();

    public OwnerProcess(World world, String name) {
        this(world, name, new ProcessClock(world, skew(world), 0));
    }

    /**
     * @param clock what it sees of the time
     */
    public OwnerProcess(World world, String name, ProcessClock clock) {
        this.world = world;
        this.name = name;
        this.clock = clock;
        this.engineClock = new EngineClock(clock);
    }

    private static long skew(World world) {
        long skew = world.faults.skewMillis();
        return skew == 0 ? 0 : world.random.nextLong(-skew, skew + 1);
    }

    @Override
    public String name() {
        return name;
    }

    public boolean hasCrashed() {
        return crashed;
    }

    /** How many events this process has seen. */
    public long steps() {
        return steps;
    }

    /** Makes it crash in the place of its event with this number. */
    public void crashAtStep(long step) {
        crashAtStep = step;
    }

    @Override
    public long lastSeenMicros() {
        return lastSeenMicros;
    }

    @Override
    public SortedSet<Long> activeMillis(long from, long to) {
        return from > to ? new TreeSet<>() : activeMillis.subSet(from, true, to, true);
    }

    /** The time by which this process acts. */
    public long clockMillis() {
        return engineClock.millis();
    }

    /** The clocks of its machine. */
    public ProcessClock clock() {
        return clock;
    }

    @Override
    public long earliestMillis(long fromMicros, long toMicros) {
        Map.Entry<Long, Long> first = readMillis.ceilingEntry(fromMicros);
        return first != null && first.getKey() <= toMicros ? first.getValue() : latestMillis(fromMicros);
    }

    @Override
    public long latestMillis(long micros) {
        Map.Entry<Long, Long> last = readMillis.floorEntry(micros);
        return last == null ? clockMillis() : last.getValue();
    }

    /** How far from the right time its replies may be, if it keeps its promises. */
    public long clockSlackMillis() {
        return clock.farthestMillis();
    }

    /** Somebody sets its wall clock. */
    public void setClock(long byMillis) {
        say(() -> "has its clock set by " + byMillis + " ms");
        clock.set(byMillis);
    }

    public boolean isPaused() {
        return world.micros() < pausedUntilMicros;
    }

    /** Runs something in this process, if it is still there by then. */
    public void in(long delayMicros, Runnable action) {
        world.in(delayMicros, () -> arrive(action));
    }

    /** What happens, too, the moment it crashes. */
    public void atItsEnd(Runnable action) {
        Runnable before = atItsEnd;
        atItsEnd = () -> {
            before.run();
            action.run();
        };
    }

    public void crash(String why) {
        if (!crashed) {
            crashed = true;
            say(() -> "crashes: " + why);
            atItsEnd.run();
        }
    }

    public void say(Supplier<String> line) {
        world.say(() -> name + " " + line.get());
    }

    private void arrive(Runnable action) {
        if (crashed) {
            return;
        }
        if (world.micros() < pausedUntilMicros) {
            in(pausedUntilMicros - world.micros(), action);
            return;
        }
        if (steps++ == crashAtStep || world.chance(world.faults.crash())) {
            crash("at its step " + (steps - 1));
            return;
        }
        if (world.chance(world.faults.pause())) {
            long pauseMicros = world.logUniform(1_000, 2_000_000);
            pausedUntilMicros = world.micros() + pauseMicros;
            say(() -> "stands still for %.3f ms".formatted(pauseMicros / 1_000.0));
            in(pauseMicros, action);
            return;
        }
        lastSeenMicros = world.micros();
        long now = clockMillis();
        activeMillis.add(now);
        readMillis.put(lastSeenMicros, now);
        action.run();
    }
}
