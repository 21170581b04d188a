package io.taskmaster.stage.local;

import io.taskmaster.client.ServiceClass;

/**
 * An event that asks to be let in, and the stage as it finds it. Immutable.
 *
 * @param cost its credits
 * @param serviceClass INTERACTIVE if all events are alike
 * @param takenCredits of those that wait
 * @param waiting events of its class that wait
 */
public record Candidate(
        int cost, ServiceClass serviceClass, long takenCredits, long waiting, long capacity, long nowNanos) {

    /** The same, if it cost one credit: for who counts events. */
    Candidate asOne() {
        return new Candidate(1, serviceClass, takenCredits, waiting, capacity, nowNanos);
    }
}
