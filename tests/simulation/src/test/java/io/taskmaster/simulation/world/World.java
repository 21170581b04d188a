package io.taskmaster.simulation.world;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * A discrete-event simulator: virtual time and all pending events, in one thread and from one seed. Single-threaded.
 *
 * <p>Events run in the order of their time; events of the same time run in the order of their creation. The same seed
 * gives the same run.
 *
 * <p>The wall clock that owners see stands still for {@link #TICK_MILLIS} and then jumps. So most commands are decided
 * at a time that the check of histories knows, and of the others there are few times to try.
 */
public final class World {

    /** The tick of the owners' clocks, in milliseconds. */
    static final long TICK_MILLIS = 20;

    private static final long START_MILLIS = 1_000_000_000_000L;

    private record Event(long micros, long number, Runnable action) implements Comparable<Event> {

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(micros, other.micros);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    public final SplittableRandom random;

    /** The seed of all random choices. */
    private final long seed;

    /** The present faults; none once the run is {@link #heal healed}. */
    public Faults faults;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final List<String> trace = new ArrayList<>();
    private final boolean tracing;
    private long micros;
    private long made;
    private long ran;
    private Optional<Violation> broken = Optional.empty();

    public World(long seed, boolean tracing) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.tracing = tracing;
        this.faults = Faults.draw(this);
    }

    public void heal() {
        faults = Faults.NONE;
    }

    public boolean isHealed() {
        return faults.equals(Faults.NONE);
    }

    /** Returns a random source of its own for a purpose, so that its draws do not change the rest of the run. */
    public SplittableRandom randomOf(String what) {
        return new SplittableRandom(seed * 31 + what.hashCode());
    }

    public long micros() {
        return micros;
    }

    public long microsSinceTheEpoch() {
        return START_MILLIS * 1_000 + micros;
    }

    /** The wall clock, in ticks. */
    public long clockMillis() {
        return clockMillisAt(micros);
    }

    public static long clockMillisAt(long micros) {
        long millis = micros / 1_000;
        return START_MILLIS + millis - millis % TICK_MILLIS;
    }

    /** The time until the wall clock shows at least this much more than now, in microseconds. */
    long microsUntilClockAdvancesBy(long delayMillis) {
        long ticks = (delayMillis + TICK_MILLIS - 1) / TICK_MILLIS;
        long target = (clockMillis() - START_MILLIS + ticks * TICK_MILLIS) * 1_000;
        return Math.max(0, target - micros);
    }

    public void in(long delayMicros, Runnable action) {
        events.add(new Event(micros + Math.max(0, delayMicros), made++, action));
    }

    /** Runs the next event, if there is one. */
    public void step() {
        Event next = events.poll();
        if (next != null) {
            micros = next.micros;
            ran++;
            next.action.run();
        }
    }

    /** Records a broken promise found in a callback, where an exception would be lost. Only the first one is kept. */
    public void broken(Violation violation) {
        if (broken.isEmpty()) {
            broken = Optional.of(violation);
        }
    }

    public void throwIfBroken() {
        broken.ifPresent(violation -> {
            throw violation;
        });
    }

    /** The number of events so far. */
    public long events() {
        return ran;
    }

    /** Returns whether an event is due before this time. */
    public boolean hasEventsBefore(long limitMicros) {
        Event next = events.peek();
        return next != null && next.micros < limitMicros;
    }

    public boolean hasEvents() {
        return !events.isEmpty();
    }

    public boolean chance(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    public <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** Returns a random number between the two, its logarithm evenly distributed. */
    public long logUniform(long min, long max) {
        return (long) (min * StrictMath.exp(random.nextDouble() * StrictMath.log((double) max / min)));
    }

    public void log(Supplier<String> line) {
        if (tracing) {
            trace.add("%9.3f  %s".formatted(micros / 1_000.0, line.get()));
        }
    }

    public List<String> trace() {
        return trace;
    }
}
