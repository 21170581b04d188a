package io.taskmaster.server.partition.claim;

import io.taskmaster.server.partition.log.row.Nonce;

/**
 * The content of the claim's cell. Immutable.
 *
 * <pre>{@code
 * state    | event                                 | next state | effect
 * ---------+---------------------------------------+------------+---------------------------------------------
 * (none)   | a node starts                         | held       | number 1, beat 0
 * held     | beat interval passed                  | held       | beat + 1
 * held     | its node shuts down                   | released   | beat + 1
 * held     | no beat for the timeout, the same     | held       | number + 1, the nonce of the new node
 *          | node starts anew, or --take-over      |            |
 * released | a node starts                         | held       | number + 1, the nonce of the new node
 * }</pre>
 *
 * @param number the number of claims so far; a partition that was taken over under a later one is not taken back
 * @param nodeId the id of the holder
 * @param nonce drawn for this claim, so that no other has the same record
 * @param beat rises as long as the holder lives
 * @param beatMillis the time of the last beat by the clock of the holder, for operators
 * @param released true if the holder has released the claim
 */
record ClaimRecord(long number, String nodeId, Nonce nonce, long beat, long beatMillis, boolean released) {

    ClaimRecord {
        if (number < 1 || beat < 0) {
            throw new IllegalArgumentException(
                    "claim: number %d, beat %d (expected: at least 1 and 0)".formatted(number, beat));
        }
    }

    /** Returns true if both are records of one claim, whatever their beats. */
    boolean isSameClaimAs(ClaimRecord other) {
        return number == other.number && nonce.equals(other.nonce);
    }

    ClaimRecord next(long nowMillis) {
        return new ClaimRecord(number, nodeId, nonce, beat + 1, nowMillis, false);
    }

    ClaimRecord asReleased(long nowMillis) {
        return new ClaimRecord(number, nodeId, nonce, beat + 1, nowMillis, true);
    }
}
