package io.taskmaster.server.engine.rank;

import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.Command.Selector;
import io.taskmaster.server.engine.command.Reply.Description;
import io.taskmaster.server.engine.decide.QueueInspection;
import io.taskmaster.server.engine.flow.Verdict;
import io.taskmaster.server.engine.index.EngineState;
import io.taskmaster.server.engine.select.Selection;
import io.taskmaster.server.engine.select.SelectionTotals;
import io.taskmaster.server.engine.select.SelectorMatch;
import io.taskmaster.server.engine.state.QueueState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The walk that finds a page of a partition's queues in some order, and the sum over all that match. It goes by name
 * and in slices, so that other commands run in between. It keeps the best so far in a heap as large as the page. A
 * queue is described as of the moment at which the walk visited it. Single-threaded: owned by the partition's loop.
 */
public final class Ranking implements QueueScan<Ranking.Page> {

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
     * @param left the number of them behind the place that the question names, on this page or not
     * @param worst the most urgent verdict on any that matches
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

    /** The best so far, the worst of them on top. */
    private final PriorityQueue<Row> best;

    private final SelectionTotals selectionTotals = new SelectionTotals();
    private long left;
    private Verdict worst = Verdict.FINE;

    /** The last queue that was visited; null: the walk has not begun. */
    private @Nullable QueueKey walked;

    /** @param nowMillis the time, for rates and ages */
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
    public boolean walkOn(EngineState engine) {
        return question.selector.isByName() ? takeNamed(engine) : takeSlice(engine);
    }

    private boolean takeNamed(EngineState engine) {
        Selection.of(
                        engine.partition(),
                        engine.selectors(),
                        question.selector,
                        null,
                        QueueState::isShown,
                        Integer.MAX_VALUE)
                .forEach(queue -> take(queue, engine.activity().verdict(queue)));
        return true;
    }

    private boolean takeSlice(EngineState engine) {
        Selector selector = question.selector;
        SelectorMatch selectorMatch = engine.selectors().of(selector);
        int stepsLeft = SLICE_STEPS;
        for (QueueState queue :
                Selection.range(engine.partition(), selector, walked).values()) {
            if (selector.group().isPresent()
                    && !queue.key().group().equals(selector.group().get())) {
                return true;
            }
            stepsLeft--;
            if (queue.isShown() && selectorMatch.chooses(queue)) {
                stepsLeft -= queue.unseenForOldest() / TASKS_PER_STEP;
                take(queue, engine.activity().verdict(queue));
            }
            if (stepsLeft <= 0) {
                walked = queue.key();
                return false;
            }
        }
        return true;
    }

    private void take(QueueState queue, Verdict verdict) {
        selectionTotals.add(queue, nowMillis);
        worst = worst.or(verdict);
        Place place = new Place(question.order.rankOf(queue), queue.key());
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
        best.add(new Row(place, QueueInspection.describe(queue, 0, nowMillis), verdict));
    }

    @Override
    public Page found() {
        List<Row> rows = new ArrayList<>(best);
        rows.sort(rowOrder);
        return new Page(rows, selectionTotals.toDescription(nowMillis), selectionTotals.queues(), left, worst);
    }
}
