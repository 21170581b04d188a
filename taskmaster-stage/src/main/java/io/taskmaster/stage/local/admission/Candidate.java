package io.taskmaster.stage.local.admission;

import io.taskmaster.client.ServiceClass;

/**
 * An event that is about to be admitted, and the stage at that moment. Immutable.
 *
 * @param cost the credits of the event
 * @param serviceClass {@code INTERACTIVE} if the stage has no classes
 * @param takenCredits the credits of the events that wait
 * @param waiting the number of waiting events of the same class
 */
public record Candidate(
        int cost, ServiceClass serviceClass, long takenCredits, long waiting, long capacity, long nowNanos) {

    /** Returns the same with a cost of one credit, for a rule that counts events. */
    Candidate asOne() {
        return new Candidate(1, serviceClass, takenCredits, waiting, capacity, nowNanos);
    }
}
