package io.taskmaster.placement;

import io.taskmaster.placement.Move.Cause;
import io.taskmaster.placement.Wish.Answer;
import io.taskmaster.placement.Wish.MovePartition;
import io.taskmaster.placement.Wish.Outcome;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The wishes of operators. Moves keep to the bounds on moves at once and to the limits of nodes; no cool-down holds
 * them up, and the load plays no part. Immutable.
 */
record OperatorWishes(List<Wish> wishes) {

    /** Returns the ids of the nodes that are to be empty from now on. */
    NavigableSet<String> drained(Set<String> before) {
        NavigableSet<String> drained = new TreeSet<>(before);
        for (Wish wish : wishes) {
            if (wish instanceof Wish.Drain drain) {
                drained.add(drain.nodeId());
            } else if (wish instanceof Wish.Undrain undrain) {
                drained.remove(undrain.nodeId());
            }
        }
        return drained;
    }

    /** Returns true if a round of balancing is to begin at once. */
    boolean wantBalance() {
        return wishes.contains(new Wish.Rebalance());
    }

    /**
     * Moves what is to be moved and can be, and answers all wishes in their order.
     *
     * @param mayMove false if nothing is to move now
     */
    List<Answer> decide(WorkingMap map, boolean mayMove) {
        return wishes.stream().map(wish -> answer(wish, map, mayMove)).toList();
    }

    private static Answer answer(Wish wish, WorkingMap map, boolean mayMove) {
        return switch (wish) {
            case MovePartition move ->
                check(move, map)
                        .orElseGet(() ->
                                mayMove ? move(move, map) : waiting(move, "partitions without an owner come first"));
            case Wish.Drain drain -> done(drain, drainInWords(drain.nodeId(), map));
            case Wish.Undrain undrain -> done(undrain, "node %s may serve".formatted(undrain.nodeId()));
            case Wish.Rebalance rebalance ->
                mayMove
                        ? done(rebalance, "a round of balancing was made")
                        : waiting(rebalance, "partitions without an owner come first");
        };
    }

    private static String drainInWords(String id, WorkingMap map) {
        return map.member(id)
                .map(host -> "node %s is to be empty: %d partitions".formatted(id, host.count()))
                .orElse("node %s is no member now: it gets nothing when it comes".formatted(id));
    }

    /** Returns the refusal of a move that makes no sense. */
    private static Optional<Answer> check(MovePartition wish, WorkingMap map) {
        int partition = wish.partition();
        if (partition < 0 || partition >= map.size()) {
            String range = "partition: %d (expected: 0 to %d)".formatted(partition, map.size() - 1);
            return Optional.of(new Answer(wish, Outcome.REFUSED, range));
        }
        Optional<Host> to = map.member(wish.nodeId());
        if (to.isEmpty() || !to.get().isWilling()) {
            String state = to.isEmpty() ? "no member" : to.get().isDrained() ? "drained" : "not serving";
            return Optional.of(new Answer(wish, Outcome.REFUSED, "node %s is %s".formatted(wish.nodeId(), state)));
        }
        return Optional.empty();
    }

    private static Answer move(MovePartition wish, WorkingMap map) {
        int partition = wish.partition();
        Host to = map.member(wish.nodeId()).orElseThrow();
        Host owner = map.owner(partition);
        Optional<Host> from = map.from(partition);
        String place = "p%d is on %s".formatted(partition, owner.id());
        if (from.isPresent()) {
            String motion = "p%d is moving from %s to %s"
                    .formatted(partition, from.get().id(), owner.id());
            return owner == to ? done(wish, motion) : waiting(wish, motion);
        }
        if (owner == to) {
            return done(wish, place);
        }
        if (!to.hasRoomFor(map.weight(partition))) {
            return new Answer(wish, Outcome.REFUSED, "node %s has no room: %s".formatted(to.id(), place));
        }
        if (!owner.isAlive() || map.motionLeft() <= 0) {
            return waiting(wish, "as many partitions are in motion as may be: " + place);
        }
        map.move(partition, to, Cause.OPERATOR, "an operator's order");
        return done(wish, "p%d moves from %s to %s".formatted(partition, owner.id(), to.id()));
    }

    private static Answer done(Wish wish, String words) {
        return new Answer(wish, Outcome.DONE, words);
    }

    private static Answer waiting(Wish wish, String words) {
        return new Answer(wish, Outcome.WAITING, words);
    }
}
