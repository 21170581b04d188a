package io.taskmaster.server.partition.log;

/**
 * The rule that says when the rows of a partition are rewritten, so that its record need not name unclean ends any more. Partitions take
 * turns, by their numbers: those of a node change hands together, and a start that rewrote all of them would keep everybody waiting. Immutable.
 *
 * @param partition its number
 * @param uncleanEnds with fewer ended epochs than these to name nothing is rewritten; with twice as many every partition has had its turn
 */
record ScrubRule(int partition, int uncleanEnds) {

    /** With so many times more, which only records of older versions have, it is nobody's turn any more. */
    private static final int AT_ONCE = 8;

    boolean isDue(int named, long epoch) {
        return named >= uncleanEnds && ((epoch + partition) % uncleanEnds == 0 || named >= AT_ONCE * uncleanEnds);
    }
}
