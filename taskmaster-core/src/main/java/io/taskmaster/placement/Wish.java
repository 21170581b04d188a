package io.taskmaster.placement;

/** A wish of an operator. Repeated in each decision until one of them answers that it is done, or refuses it. */
public sealed interface Wish {

    /**
     * A move of one partition.
     *
     * @param partition the partition
     * @param nodeId the id of the node that is to own it
     */
    record MovePartition(int partition, String nodeId) implements Wish {}

    /**
     * An order that a node is to serve nothing. It holds for all lives of the node until it is withdrawn: see
     * {@link PlacementDecision#drained()}.
     *
     * @param nodeId the id of the node
     */
    record Drain(String nodeId) implements Wish {}

    /**
     * The end of a {@link Drain}.
     *
     * @param nodeId the id of the node
     */
    record Undrain(String nodeId) implements Wish {}

    /** A round of balancing at once, also if no node has as much load as usually causes one. */
    record Rebalance() implements Wish {}

    /**
     * The answer to a wish.
     *
     * @param wish the wish
     * @param outcome how it stands
     * @param words the same in words, for the operator
     */
    record Answer(Wish wish, Outcome outcome, String words) {}

    /** The state of a wish after a decision. */
    enum Outcome {
        /** The decision fulfils it; it is not to be repeated. */
        DONE,
        /** It cannot be fulfilled; it is not to be repeated. */
        REFUSED,
        /** It has to be repeated. */
        WAITING
    }
}
