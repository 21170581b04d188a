package io.taskmaster.simulation;

import java.util.function.LongFunction;

/** The simulation as somebody sees it who has loaded its classes anew, and shares only the JDK's with it. */
public final class Hunt {

    private Hunt() {}

    /** Runs the world of a seed: what is out of order in it, or nothing. */
    public static LongFunction<String> hunt() {
        return seed -> {
            try {
                Simulation.run(seed, Scenario.FAULTY, false);
                return "";
            } catch (Violation violation) {
                return String.valueOf(violation.getMessage());
            }
        };
    }
}
