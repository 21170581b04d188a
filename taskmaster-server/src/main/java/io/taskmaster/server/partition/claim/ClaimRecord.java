package io.taskmaster.server.partition.claim;

import io.taskmaster.server.partition.log.Nonce;

/**
 * What the cell of the claim says. Immutable.
 *
 * @param number counts the claims; partitions that were taken over under a later one are not taken back
 * @param nonce drawn for this claim, so that no other has the same record
 * @param beat rises as long as its holder lives
 * @param beatMillis when it last rose by the clock of its holder, for people
 * @param released whether the holder gave it up
 */
record ClaimRecord(long number, String nodeId, Nonce nonce, long beat, long beatMillis, boolean released) {

    ClaimRecord {
        if (number < 1 || beat < 0) {
            throw new IllegalArgumentException(
                    "claim: number %d, beat %d (expected: at least 1 and 0)".formatted(number, beat));
        }
    }

    /** Whatever its beat. */
    boolean isSameClaimAs(ClaimRecord other) {
        return number == other.number && nonce.equals(other.nonce);
    }

    ClaimRecord next(long nowMillis) {
        return new ClaimRecord(number, nodeId, nonce, beat + 1, nowMillis, false);
    }

    ClaimRecord givenUp(long nowMillis) {
        return new ClaimRecord(number, nodeId, nonce, beat + 1, nowMillis, true);
    }
}
