package io.taskmaster.simulation.world;

/**
 * The rules of fencing, recovery and flushing that the simulated store can suspend, one at a time, to test whether the
 * check of histories notices.
 */
public enum Rule {
    /** The store never lets an older stamp replace or delete a newer one. */
    STAMPS_ARE_COMPARED,
    /** Only cells of the present epoch or of complete rounds are believed. */
    ONLY_COMPLETE_ROUNDS_ARE_BELIEVED,
    /** The checkpoint moves by compare-and-set of the whole record. */
    CHECKPOINT_IS_COMPARED_AND_SET,
    /** Every epoch from the checkpoint's on is fenced, not only the last. */
    EVERY_EPOCH_IS_FENCED,
    /** Trimming keeps the fences. */
    FENCES_ARE_KEPT,
    /** Log rows are put if absent. */
    LOG_ROWS_ARE_PUT_IF_ABSENT,
    /** A flush write of unknown outcome ends the round. Suspended, the write reports success instead of its failure. */
    UNKNOWN_WRITES_END_THE_ROUND,
    /** The rows of a round are durable before its checkpoint. Suspended, a sync does nothing. */
    CHECKPOINTS_WAIT_FOR_THE_SYNC,
    /** A log row is durable before a reply that depends on it is sent. */
    ANSWERS_WAIT_FOR_THE_LOG,
    /** A reply without effect waits for a log row, and so is never given by a deposed owner. */
    EVERY_REPLY_RIDES_THE_LOG
}
