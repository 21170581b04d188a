package io.taskmaster.placement;

import java.time.Instant;
import java.util.Optional;

/**
 * A change of the owner of a partition, with the reason for it: for the log, and for an operator who asks why.
 * Immutable.
 *
 * @param at the time of the decision
 * @param partition the partition
 * @param from the owner before; empty in the first map
 * @param to the owner from now on
 * @param cause the kind of reason
 * @param reason the reason, in words and figures
 */
public record Move(Instant at, int partition, Optional<NodeRef> from, NodeRef to, Cause cause, String reason) {

    /** The kind of reason for a move. */
    public enum Cause {
        /** The first map. */
        FIRST(false),
        /** The owner came back as another incarnation. */
        RESTART(false),
        /** The owner is dead or has stopped. */
        DEATH(false),
        /** The new owner did not take the partition over, so the owner before keeps it. */
        RETURN(false),
        /** The new owner did not take the partition over, so another is tried. */
        RETRY(true),
        /** An operator wants it. */
        OPERATOR(true),
        /** The owner leaves, or an operator drains it. */
        DRAIN(true),
        /** A sibling is on the same node. */
        SIBLINGS(true),
        /** The new owner has fewer partitions than its share. */
        JOIN(true),
        /** The owner has more load than the others. */
        BALANCE(true);

        private final boolean planned;

        Cause(boolean planned) {
            this.planned = planned;
        }

        /** Returns true if the owner before serves on until it has handed the partition over. */
        public boolean isPlanned() {
            return planned;
        }
    }

    /** Returns the move in words: {@code p17 a -> b: a has 1.40 of the mean load, b 0.62, p17 0.30}. */
    public String describe() {
        return "p%d %s -> %s: %s".formatted(partition, from.map(NodeRef::id).orElse("none"), to.id(), reason);
    }
}
