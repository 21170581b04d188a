package io.taskmaster.simulation.planted;

import io.taskmaster.simulation.node.NodeSimulation;
import io.taskmaster.simulation.partition.PartitionSimulation;
import io.taskmaster.simulation.world.Scenario;
import io.taskmaster.simulation.world.Violation;
import io.taskmaster.testkit.oracle.Verdict;
import java.util.function.LongFunction;

/**
 * The simulation as somebody sees it who has loaded its classes anew, and shares only the JDK's with it. Each hunt runs the world of a
 * seed, and says what is out of order in it, or nothing.
 */
public final class Hunt {

    private Hunt() {}

    /** In worlds of one partition. */
    public static LongFunction<String> partition() {
        return seed -> objection(() -> PartitionSimulation.run(seed, Scenario.FAULTY, false));
    }

    /** In worlds of whole nodes, by all judges. */
    public static LongFunction<String> node() {
        return seed -> objection(() -> NodeSimulation.run(seed, Scenario.FAULTY, false));
    }

    /** In worlds of whole nodes, by the oracle alone; first the promises that are broken. */
    public static LongFunction<String> oracle() {
        return seed -> {
            Verdict verdict = NodeSimulation.runForTheOracle(seed, Scenario.FAULTY);
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
