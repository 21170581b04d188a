package io.taskmaster.stage.local;

import io.taskmaster.tests.Profile;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;

/**
 * A runner of the operations of a class in random scenarios on several threads, which checks that their results can be
 * explained by some sequential order.
 *
 * <p>System property: {@code taskmaster.interleavings}, the number of scenarios of each kind.
 */
public final class Interleavings {

    private static final int SCENARIOS = Integer.getInteger("taskmaster.interleavings", Profile.isSlow() ? 50 : 6);
    private static final int TIMES_EACH = 300;
    private static final int THREADS = 3;
    private static final int OPERATIONS = 3;

    private Interleavings() {}

    /** Explores interleavings one by one, under a scheduler of its own; a failing one is reported step by step. */
    public static void explore(Class<?> operations) {
        explore(operations, true);
    }

    /** Explores interleavings of a class that has locks. */
    public static void exploreLocked(Class<?> operations) {
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

    /** Runs the operations on real threads, which alone exercises the memory model. */
    public static void stress(Class<?> operations) {
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
