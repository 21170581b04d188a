package io.taskmaster.simulation.world;

import java.util.Map;
import java.util.Optional;

/**
 * What is done to a world on purpose. Immutable.
 *
 * @param takenBack a rule that does not hold in it
 * @param faulty whether faults happen by chance
 * @param crashes by the number of an owner, from 1: the step in whose place it dies
 */
public record Scenario(Optional<Rule> takenBack, boolean faulty, Map<Integer, Long> crashes) {

    /** Everything that can go wrong does. */
    public static final Scenario FAULTY = new Scenario(Optional.empty(), true, Map.of());

    public static Scenario without(Rule rule) {
        return new Scenario(Optional.of(rule), true, Map.of());
    }

    /** Nothing goes wrong, but that these die. */
    public static Scenario crashing(Map<Integer, Long> crashes) {
        return new Scenario(Optional.empty(), false, crashes);
    }
}
