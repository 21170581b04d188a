package io.taskmaster.simulation.world;

import io.taskmaster.server.partition.loop.EngineClock;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * A simulated process that can own partitions. Its events are delayed while it is paused, and never run once it has
 * crashed. Single-threaded: owned by the simulation.
 *
 * <p>Its states; each event that arrives while it runs is a step:
 *
 * <pre>{@code
 * state   | event                                      | next    | effect
 * running | a step                                     | running | notes its clock; runs the action
 * running | the step to crash at, or a random crash    | crashed | drops the action; runs the end callbacks
 * running | a step, with a random pause                | paused  | delays the action until the pause ends
 * running | crash                                      | crashed | runs the end callbacks
 * paused  | an event                                   | paused  | delays the action until the pause ends
 * paused  | the pause is over                          | running | none
 * paused  | crash                                      | crashed | runs the end callbacks
 * crashed | any                                        | crashed | drops the action
 * }</pre>
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

    /** The readings of its clock at its actions. */
    private final TreeSet<Long> activeMillis = new TreeSet<>();

    /** The same readings, by the time of the action. */
    private final TreeMap<Long, Long> readMillis = new TreeMap<>();

    public OwnerProcess(World world, String name) {
        this(world, name, new ProcessClock(world, skew(world), 0));
    }

    /**
     * Creates a process that runs.
     *
     * @param clock the clocks of its machine
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

    /** The number of steps of this process so far. */
    public long steps() {
        return steps;
    }

    /** Makes it crash instead of its step with this number, counted from 0. */
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

    /** The time that its partitions act by. */
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

    /** The largest deviation of its replies from the right time, if it keeps its promises. */
    public long clockSlackMillis() {
        return clock.farthestMillis();
    }

    /** Sets its wall clock ahead, or back. */
    public void setClock(long byMillis) {
        log(() -> "has its clock set by " + byMillis + " ms");
        clock.set(byMillis);
    }

    public boolean isPaused() {
        return world.micros() < pausedUntilMicros;
    }

    /** Runs an action in this process after a delay, unless it has crashed by then. */
    public void in(long delayMicros, Runnable action) {
        world.in(delayMicros, () -> arrive(action));
    }

    /** Adds a callback that runs at the moment of its crash. */
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
            log(() -> "crashes: " + why);
            atItsEnd.run();
        }
    }

    public void log(Supplier<String> line) {
        world.log(() -> name + " " + line.get());
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
            log(() -> "stands still for %.3f ms".formatted(pauseMicros / 1_000.0));
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
