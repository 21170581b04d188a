package io.taskmaster.command;

import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Reply.Description;
import io.taskmaster.model.QueueKey;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The request for a page of queues in some order, and the page. Immutable. */
public final class Ranking {

    private Ranking() {}

    /**
     * The parameters of the walk.
     *
     * @param descending largest first; equal ones are in the order of group and name in any case
     * @param maxQueues the size of the page
     * @param after only queues behind this place
     */
    public record Question(
            Selector selector, RankOrder order, boolean descending, int maxQueues, Optional<Place> after) {

        /** Returns an order in which the queues of the first page come first. */
        public Comparator<Place> comparator() {
            Comparator<Place> byName = Comparator.comparing(Place::queue);
            Comparator<Place> byRank = order == RankOrder.NAME ? byName : Comparator.comparingLong(Place::rank);
            return (descending ? byRank.reversed() : byRank).thenComparing(byName);
        }
    }

    /**
     * The place of a queue in the order, as of the walk.
     *
     * @param rank the value that {@link RankOrder} compares
     */
    public record Place(long rank, QueueKey queue) {}

    /** A queue of a page. */
    public record Row(Place place, Description queue, Verdict verdict) {}

    /**
     * The result of the walk.
     *
     * @param rows in order
     * @param total over all queues that match
     * @param matched the number of these
     * @param remaining the number of them behind the place that the question names, on this page or not
     * @param worst the most urgent verdict on any that matches
     */
    public record Page(List<Row> rows, Description total, long matched, long remaining, Verdict worst) {

        public Page {
            rows = List.copyOf(rows);
        }
    }
}
