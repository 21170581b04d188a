package io.taskmaster.server.partition.claim;

/**
 * The settings of a node's claim on a store. Immutable.
 *
 * @param nodeId the id of the node; a claim of the same node is taken over at once
 * @param takeOver true to take over from any node, at once
 * @param beatMillis the interval between beats of the holder
 * @param timeoutMillis the timeout after which a holder without a beat is considered dead
 */
public record ClaimSettings(String nodeId, boolean takeOver, long beatMillis, long timeoutMillis) {

    /** Returns settings with a beat every second and a timeout of ten seconds. */
    public static ClaimSettings of(String nodeId, boolean takeOver) {
        return new ClaimSettings(nodeId, takeOver, 1_000, 10_000);
    }

    public ClaimSettings {
        if (nodeId.isEmpty() || beatMillis < 1 || timeoutMillis < beatMillis) {
            throw new IllegalArgumentException(
                    "claim of node \"%s\": heartbeat %d ms, timeout %d ms (expected: a name, and a timeout of at least one heartbeat)"
                            .formatted(nodeId, beatMillis, timeoutMillis));
        }
    }
}
