package io.taskmaster.server.engine;

import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.Command.Selector;
import io.taskmaster.server.engine.Reply.Description;
import io.taskmaster.server.engine.flow.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A page of a partition's queues in some order, found in one walk over what is in memory, and the sum of all that match. The walk goes by
 * name and in slices, so that others overtake; it keeps the best so far in a heap as large as the page. What is said of a queue is of the
 * moment in which the walk came by. Single-threaded: owned by the partition's loop.
 */
public final class Ranking implements Walk<Ranking.Page> {

    /**
     * What is asked.
     *
     * @param descending largest first; equal ones are in the order of group and name in any case
     * @param maxQueues of the page
     * @param after only queues behind this place
     */
    public record Question(
            Selector selector, RankOrder order, boolean descending, int maxQueues, Optional<Place> after) {

        /** First come those of the first pages. */
        public Comparator<Place> comparator() {
            Comparator<Place> byName = Comparator.comparing(Place::queue);
            Comparator<Place> byRank = order == RankOrder.NAME ? byName : Comparator.comparingLong(Place::rank);
            return (descending ? byRank.reversed() : byRank).thenComparing(byName);
        }
    }

    /**
     * Where a queue stood when somebody looked.
     *
     * @param rank as {@link RankOrder} compares
     */
    public record Place(long rank, QueueKey queue) {}

    /** A queue of a page. */
    public record Row(Place place, Description queue, Verdict verdict) {}

    /**
     * What is answered.
     *
     * @param rows in order
     * @param total over all queues that match
     * @param matched how many these are
     * @param left how many of them are behind the place that the question names, on this page or not
     * @param worst verdict on any that matches
     */
    public record Page(List<Row> rows, Description total, long matched, long left, Verdict worst) {

        public Page {
            rows = List.copyOf(rows);
        }
    }

    private final Question question;
    private final long nowMillis;
    private final Comparator<Place> comparator;
    private final Comparator<Row> rowOrder;

    /** The worst is on top. */
    private final PriorityQueue<Row> best;

    private final Totals totals = new Totals();
    private long left;
    private Verdict worst = Verdict.FINE;

    /** Where the walk stands; null: it has not begun. */
    private @Nullable QueueKey walked;

    /**
     * @param nowMillis for rates and ages
     */
    public Ranking(Question question, long nowMillis) {
        this.question = question;
        this.nowMillis = nowMillis;
        this.comparator = question.comparator();
        this.rowOrder = Comparator.comparing(Row::place, comparator);
        this.best = new PriorityQueue<>(rowOrder.reversed());
    }

    @Override
    public Optional<Selector> selector() {
        return Optional.of(question.selector);
    }

    @Override
    public boolean walkOn(PartitionState state) {
        return question.selector.isByName() ? takeNamed(state) : takeSlice(state);
    }

    private boolean takeNamed(PartitionState state) {
        Selection.of(state, question.selector, null, QueueState::isShown, Integer.MAX_VALUE)
                .forEach(this::take);
        return true;
    }

    private boolean takeSlice(PartitionState state) {
        Selector selector = question.selector;
        Choice choice = state.queues().choices().of(selector);
        int stepsLeft = SLICE_STEPS;
        for (QueueState queue : Selection.range(state, selector, walked).values()) {
            if (selector.group().isPresent()
                    && !queue.key.group().equals(selector.group().get())) {
                return true;
            }
            stepsLeft--;
            if (queue.isShown() && choice.chooses(queue)) {
                stepsLeft -= queue.unseenForOldest() / TASKS_PER_STEP;
                take(queue);
            }
            if (stepsLeft <= 0) {
                walked = queue.key;
                return false;
            }
        }
        return true;
    }

    private void take(QueueState queue) {
        totals.add(queue, nowMillis);
        worst = worst.or(queue.verdict());
        Place place = new Place(question.order.rankOf(queue), queue.key);
        if (question.after.isPresent() && comparator.compare(place, question.after.get()) <= 0) {
            return;
        }
        left++;
        if (best.size() == question.maxQueues) {
            if (comparator.compare(place, best.element().place) > 0) {
                return;
            }
            best.remove();
        }
        best.add(new Row(place, Introspection.describe(queue, 0, nowMillis), queue.verdict()));
    }

    @Override
    public Page found() {
        List<Row> rows = new ArrayList<>(best);
        rows.sort(rowOrder);
        return new Page(rows, totals.toDescription(nowMillis), totals.queues(), left, worst);
    }
}
