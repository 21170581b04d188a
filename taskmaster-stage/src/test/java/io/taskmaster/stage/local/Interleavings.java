package io.taskmaster.stage.local;

import io.taskmaster.tests.Profile;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;

/**
 * Runs the operations of a class in random scenarios on several threads, and looks whether what they return can be explained by some order.
 *
 * <p>System property: {@code taskmaster.interleavings}, scenarios of each kind.
 */
final class Interleavings {

    private static final int SCENARIOS = Integer.getInteger("taskmaster.interleavings", Profile.isSlow() ? 50 : 8);
    private static final int TIMES_EACH = 300;
    private static final int THREADS = 3;
    private static final int OPERATIONS = 3;

    private Interleavings() {}

    /** One interleaving after the other, as a scheduler of its own has it; one that fails is told step by step. */
    static void explore(Class<?> operations) {
        explore(operations, true);
    }

    /** The same of what has locks. */
    static void exploreLocked(Class<?> operations) {
        explore(operations, false);
    }

    private static void explore(Class<?> operations, boolean isLockFree) {
        new ModelCheckingOptions()
                .iterations(SCENARIOS)
                .invocationsPerIteration(TIMES_EACH)
                .threads(THREADS)
                .actorsPerThread(OPERATIONS)
                .actorsBefore(2)
                .actorsAfter(2)
                .checkObstructionFreedom(isLockFree)
                .check(operations);
    }

    /** As real threads happen to interleave: only so the memory model has its say. */
    static void stress(Class<?> operations) {
        new StressOptions()
                .iterations(SCENARIOS)
                .invocationsPerIteration(TIMES_EACH)
                .threads(THREADS)
                .actorsPerThread(OPERATIONS)
                .actorsBefore(2)
                .actorsAfter(2)
                .check(operations);
    }
}
