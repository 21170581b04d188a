package io.taskmaster.simulation.planted;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** A search for a planted bug: it simulates run after run of one kind, on all cores, until one fails. Immutable. */
final class BugHunt {

    /** The number of runs in parallel, after the first few. */
    private static final long AT_ONCE = 32;

    /**
     * The run that shows the bug.
     *
     * @param worlds the number of runs, this one included
     * @param objection the violation
     */
    record Found(long worlds, String objection) {}

    private final LongFunction<String> hunt;

    private BugHunt(LongFunction<String> hunt) {
        this.hunt = hunt;
    }

    /**
     * Returns a hunt in a patched server.
     *
     * @param kind a method of {@link Hunt}: of the class with that name in the patched server, which is not the same
     *     class
     */
    static BugHunt in(PatchedServer server, String kind) {
        try {
            return new BugHunt(asFunction(
                    server.loadClass(Hunt.class.getName()).getMethod(kind).invoke(null)));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("hunt: " + kind + " (expected: a method of Hunt)", e);
        }
    }

    @SuppressWarnings("unchecked") // the types of the result are the JDK's, so both class loaders share them
    private static LongFunction<String> asFunction(Object hunt) {
        return (LongFunction<String>) hunt;
    }

    /** Returns the run of this seed if it fails. */
    Optional<Found> at(long seed) {
        String objection = hunt.apply(seed);
        return objection.isEmpty() ? Optional.empty() : Optional.of(new Found(seed + 1, objection));
    }

    /** Returns the first of this number of runs that fails; empty if none does. */
    Optional<Found> first(long worlds) {
        long atOnce = 2;
        for (long first = 0; first < worlds; first += atOnce, atOnce = Math.min(AT_ONCE, 2 * atOnce)) {
            // The lowest seed of the chunk, so that the result does not depend on the timing of threads.
            OptionalLong found = LongStream.range(first, Math.min(worlds, first + atOnce))
                    .parallel()
                    .filter(seed -> !hunt.apply(seed).isEmpty())
                    .min();
            if (found.isPresent()) {
                return Optional.of(new Found(found.getAsLong() + 1, hunt.apply(found.getAsLong())));
            }
        }
        return Optional.empty();
    }
}
