package io.taskmaster.simulation.planted;

import io.taskmaster.simulation.node.NodeSimulation;
import io.taskmaster.simulation.partition.PartitionSimulation;
import io.taskmaster.simulation.world.Scenario;
import io.taskmaster.simulation.world.Violation;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict;
import java.util.function.LongFunction;

/**
 * The entry points of a simulation whose classes were loaded anew, and which shares only the JDK's classes with its
 * caller. Each function simulates the run of a seed and returns the violation, or an empty string.
 */
public final class Hunt {

    private Hunt() {}

    /** Returns a hunt in runs of one partition. */
    public static LongFunction<String> partition() {
        return seed -> objection(() -> PartitionSimulation.run(seed, Scenario.FAULTY, false));
    }

    /** Returns a hunt in runs of whole nodes, with all checks. */
    public static LongFunction<String> node() {
        return seed -> objection(() -> NodeSimulation.run(seed, Scenario.FAULTY, false));
    }

    /** Returns a hunt in runs of whole nodes, with the oracle alone. The violation begins with the broken promises. */
    public static LongFunction<String> oracle() {
        return seed -> {
            OracleVerdict verdict = NodeSimulation.runForTheOracle(seed, Scenario.FAULTY);
            return verdict.isClean() ? "" : verdict.broken() + ": " + verdict;
        };
    }

    private static String objection(Runnable world) {
        try {
            world.run();
            return "";
        } catch (Violation violation) {
            return String.valueOf(violation.getMessage());
        }
    }
}
