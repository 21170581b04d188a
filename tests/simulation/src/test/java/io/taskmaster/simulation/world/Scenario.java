package io.taskmaster.simulation.world;

import java.util.Map;
import java.util.Optional;

/**
 * The deliberate conditions of a run. Immutable.
 *
 * @param reverted a rule that is suspended in it
 * @param faulty whether random faults happen
 * @param crashes the step at which an owner crashes, by the number of the owner, from 1
 */
public record Scenario(Optional<Rule> reverted, boolean faulty, Map<Integer, Long> crashes) {

    /** A run with all random faults. */
    public static final Scenario FAULTY = new Scenario(Optional.empty(), true, Map.of());

    public static Scenario without(Rule rule) {
        return new Scenario(Optional.of(rule), true, Map.of());
    }

    /** Returns a run without faults other than these crashes. */
    public static Scenario crashing(Map<Integer, Long> crashes) {
        return new Scenario(Optional.empty(), false, crashes);
    }
}
