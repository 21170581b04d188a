package io.taskmaster.server.partition.log.ownership;

/**
 * The rule that decides if the rows of a partition are rewritten at a takeover, so that its record need not list
 * unclean ends any more. The partitions are staggered by their numbers: those of a node change hands together, and a
 * start that rewrote all of them would delay every caller. Immutable.
 *
 * @param partition the number of the partition
 * @param uncleanEnds the number of listed epochs below which nothing is rewritten; by twice as many every partition was
 *     due once
 */
public record ScrubRule(int partition, int uncleanEnds) {

    /** The factor of listed epochs at which a scrub is due at once. Only records of older versions list so many. */
    private static final int AT_ONCE = 8;

    /**
     * Returns true if the owner of this epoch is to rewrite the rows.
     *
     * @param named the number of unclean epochs that its record lists
     */
    boolean isDue(int named, long epoch) {
        // By number and epoch, so that of all partitions that are due a start scrubs only a few (ADR 15).
        return named >= uncleanEnds && ((epoch + partition) % uncleanEnds == 0 || named >= AT_ONCE * uncleanEnds);
    }
}
