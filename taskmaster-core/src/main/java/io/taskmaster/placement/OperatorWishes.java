package io.taskmaster.placement;

import io.taskmaster.placement.Move.Cause;
import io.taskmaster.placement.Wish.Answer;
import io.taskmaster.placement.Wish.MovePartition;
import io.taskmaster.placement.Wish.Outcome;
import java.util.Optional;

/**
 * The moves that operators wish for. They keep to the bounds on moves at once and to the limits of nodes; no cool-down
 * holds them up, and the load plays no part. Single-threaded.
 */
record OperatorWishes(WorkingMap map) {

    /**
     * Answers a wish for a move, and moves if it can be.
     *
     * @param mayMove false if nothing is to move now
     */
    Answer answer(MovePartition wish, boolean mayMove) {
        int partition = wish.partition();
        if (partition < 0 || partition >= map.size()) {
            return new Answer(
                    wish, Outcome.REFUSED, "partition: %d (expected: 0 to %d)".formatted(partition, map.size() - 1));
        }
        Optional<Host> to = map.member(wish.nodeId());
        if (to.isEmpty() || !to.get().isWilling()) {
            String state = to.isEmpty() ? "no member" : to.get().isDrained() ? "drained" : "not serving";
            return new Answer(wish, Outcome.REFUSED, "node %s is %s".formatted(wish.nodeId(), state));
        }
        if (!map.isPlaced() || !mayMove) {
            return new Answer(wish, Outcome.WAITING, "partitions without an owner come first");
        }
        return answer(wish, to.get());
    }

    private Answer answer(MovePartition wish, Host to) {
        int partition = wish.partition();
        Optional<Host> from = map.from(partition);
        Host owner = map.owner(partition);
        String place = "p%d is on %s".formatted(partition, owner.id());
        if (from.isPresent()) {
            String motion = "p%d is moving from %s to %s"
                    .formatted(partition, from.get().id(), owner.id());
            return new Answer(wish, owner == to ? Outcome.DONE : Outcome.WAITING, motion);
        }
        if (owner == to) {
            return new Answer(wish, Outcome.DONE, place);
        }
        if (!to.hasRoomFor(map.weight(partition))) {
            return new Answer(wish, Outcome.REFUSED, "node %s has no room: %s".formatted(to.id(), place));
        }
        if (!owner.isAlive() || map.motionLeft() <= 0) {
            return new Answer(wish, Outcome.WAITING, "as many partitions are in motion as may be: " + place);
        }
        map.move(partition, to, Cause.OPERATOR, "an operator's order");
        return new Answer(wish, Outcome.DONE, "p%d moves from %s to %s".formatted(partition, owner.id(), to.id()));
    }
}
