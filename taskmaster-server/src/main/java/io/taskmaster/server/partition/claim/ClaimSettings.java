package io.taskmaster.server.partition.claim;

/**
 * How a node claims a store. Immutable.
 *
 * @param nodeId who it is; a claim of the same node is taken over at once
 * @param takeOver whether to take over from any node, at once
 * @param beatMillis how often the holder of a claim says that it is there
 * @param patienceMillis who says nothing for so long is taken for dead
 */
public record ClaimSettings(String nodeId, boolean takeOver, long beatMillis, long patienceMillis) {

    /** A beat every second; ten are missed before somebody is taken for dead. */
    public static ClaimSettings of(String nodeId, boolean takeOver) {
        return new ClaimSettings(nodeId, takeOver, 1_000, 10_000);
    }

    public ClaimSettings {
        if (nodeId.isEmpty() || beatMillis < 1 || patienceMillis < beatMillis) {
            throw new IllegalArgumentException(
                    "claim of node \"%s\": a beat of %d ms, patience of %d ms (expected: a name, and patience for a beat at least)"
                            .formatted(nodeId, beatMillis, patienceMillis));
        }
    }
}
