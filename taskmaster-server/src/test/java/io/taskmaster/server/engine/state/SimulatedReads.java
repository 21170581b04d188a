package io.taskmaster.server.engine.state;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * The reads in flight of an {@link EngineSimulation}. They end in any order, and return the rows of any instant in
 * between. Single-threaded.
 */
final class SimulatedReads {

    private final Random random;
    private final LongConsumer changed;
    private final TreeMap<Long, Runnable> pending = new TreeMap<>();
    private long newest;

    /** The receiver of the result of a read. */
    interface Outcome<T> {
        void accept(T result, long readId);
    }

    /**
     * Creates a simulation without reads.
     *
     * @param changed receives the id of the oldest read whenever one began or ended; {@link Long#MAX_VALUE}: there is
     *     none
     */
    SimulatedReads(Random random, LongConsumer changed) {
        this.random = random;
        this.changed = changed;
    }

    /** Begins a read. It returns the rows as they are now, or as they are when it ends. */
    <T> void begin(Supplier<T> rowsNow, Outcome<T> outcome) {
        long id = ++newest;
        Optional<T> early = random.nextBoolean() ? Optional.of(rowsNow.get()) : Optional.empty();
        pending.put(id, () -> outcome.accept(early.orElseGet(rowsNow), id));
        changed.accept(pending.firstKey());
    }

    /** Ends one of the reads, if there are any. */
    void endOne() {
        if (!pending.isEmpty()) {
            List<Long> ids = List.copyOf(pending.keySet());
            long id = ids.get(random.nextInt(ids.size()));
            Runnable end = pending.get(id);
            if (end != null) {
                end.run();
            }
            pending.remove(id);
            changed.accept(pending.isEmpty() ? Long.MAX_VALUE : pending.firstKey());
        }
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    /** The id of the newest read that has begun. */
    long newest() {
        return newest;
    }

    /** Drops all reads. */
    void clear() {
        pending.clear();
    }
}
