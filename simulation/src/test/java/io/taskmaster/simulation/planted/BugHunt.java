package io.taskmaster.simulation.planted;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** Runs world after world of one kind around one bug, on all cores, until one is out of order. Immutable. */
final class BugHunt {

    /** Worlds that are run beside each other, after the first few. */
    private static final long AT_ONCE = 32;

    /**
     * The world that shows it.
     *
     * @param worlds how many there were, this one included
     * @param objection what is out of order in it
     */
    record Found(long worlds, String objection) {}

    private final LongFunction<String> hunt;

    private BugHunt(LongFunction<String> hunt) {
        this.hunt = hunt;
    }

    /**
     * @param kind a method of {@link Hunt}: that of a class of the same name in the patched server, which is not the same class
     */
    static BugHunt in(PatchedServer server, String kind) {
        try {
            return new BugHunt(asFunction(
                    server.loadClass(Hunt.class.getName()).getMethod(kind).invoke(null)));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("hunt: " + kind + " (expected: a method of Hunt)", e);
        }
    }

    @SuppressWarnings("unchecked") // the types of what it returns are the JDK's, so they are the same in both
    private static LongFunction<String> asFunction(Object hunt) {
        return (LongFunction<String>) hunt;
    }

    /** The first world that is out of order, of so many. */
    Optional<Found> first(long worlds) {
        long atOnce = 2;
        for (long first = 0; first < worlds; first += atOnce, atOnce = Math.min(AT_ONCE, 2 * atOnce)) {
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
