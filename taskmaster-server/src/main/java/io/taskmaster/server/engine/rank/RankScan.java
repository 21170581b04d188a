package io.taskmaster.server.engine.rank;

import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.RankOrder;
import io.taskmaster.command.Ranking;
import io.taskmaster.command.Verdict;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.decide.QueueInspection;
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
public final class RankScan implements QueueScan<Ranking.Page> {

    private final Ranking.Question question;
    private final long nowMillis;
    private final Comparator<Ranking.Place> comparator;
    private final Comparator<Ranking.Row> rowOrder;

    /** The best so far, the worst of them on top. */
    private final PriorityQueue<Ranking.Row> best;

    private final SelectionTotals selectionTotals = new SelectionTotals();
    private long remaining;
    private Verdict worst = Verdict.FINE;

    /** The last queue that was visited; null: the walk has not begun. */
    private @Nullable QueueKey lastKey;

    /** @param nowMillis the time, for rates and ages */
    public RankScan(Ranking.Question question, long nowMillis) {
        this.question = question;
        this.nowMillis = nowMillis;
        this.comparator = question.comparator();
        this.rowOrder = Comparator.comparing(Ranking.Row::place, comparator);
        this.best = new PriorityQueue<>(rowOrder.reversed());
    }

    @Override
    public Optional<Selector> selector() {
        return Optional.of(question.selector());
    }

    @Override
    public boolean scanSlice(EngineState engine) {
        return question.selector().isByName() ? scanNamed(engine) : scanRange(engine);
    }

    private boolean scanNamed(EngineState engine) {
        Selection.of(
                        engine.partition(),
                        engine.selectors(),
                        question.selector(),
                        null,
                        QueueState::isShown,
                        Integer.MAX_VALUE)
                .forEach(queue -> add(queue, engine.activity().verdict(queue)));
        return true;
    }

    private boolean scanRange(EngineState engine) {
        Selector selector = question.selector();
        SelectorMatch selectorMatch = engine.selectors().of(selector);
        int remainingSteps = SLICE_STEPS;
        for (QueueState queue :
                Selection.range(engine.partition(), selector, lastKey).values()) {
            if (selector.group().isPresent()
                    && !queue.key().group().equals(selector.group().get())) {
                return true;
            }
            remainingSteps--;
            if (queue.isShown() && selectorMatch.chooses(queue)) {
                remainingSteps -= queue.unseenForOldest() / TASKS_PER_STEP;
                add(queue, engine.activity().verdict(queue));
            }
            if (remainingSteps <= 0) {
                lastKey = queue.key();
                return false;
            }
        }
        return true;
    }

    private void add(QueueState queue, Verdict verdict) {
        selectionTotals.add(queue, nowMillis);
        worst = worst.or(verdict);
        Ranking.Place place = new Ranking.Place(rankOf(question.order(), queue), queue.key());
        if (question.after().isPresent()
                && comparator.compare(place, question.after().get()) <= 0) {
            return;
        }
        remaining++;
        if (best.size() == question.maxQueues()) {
            if (comparator.compare(place, best.element().place()) > 0) {
                return;
            }
            best.remove();
        }
        best.add(new Ranking.Row(place, QueueInspection.describe(queue, 0, nowMillis), verdict));
    }

    @Override
    public Ranking.Page found() {
        List<Ranking.Row> rows = new ArrayList<>(best);
        rows.sort(rowOrder);
        return new Ranking.Page(
                rows, selectionTotals.toDescription(nowMillis), selectionTotals.queues(), remaining, worst);
    }

    /** Returns a number that compares as the queues do; equal where only their names decide. */
    private static long rankOf(RankOrder order, QueueState queue) {
        return switch (order) {
            case NAME -> 0;
            case AVAILABLE -> queue.availableNow();
            case LEASED -> queue.leasedNow();
            case DELAYED -> queue.delayedNow();
            case TASKS -> queue.total();
            case OLDEST -> -queue.oldestReadyMillis();
            case ENQUEUE_RATE -> comparable(queue.rates().enqueuesMark());
            case LEASE_RATE -> comparable(queue.rates().leasesMark());
            case DEQUEUE_RATE -> comparable(queue.rates().dequeuesMark());
            case EXPIRED_LEASES -> queue.rates().expiredLeases();
        };
    }

    /** Maps a number to a long of the same order: the bits of negative numbers are in the opposite order. */
    private static long comparable(double number) {
        long bits = Double.doubleToLongBits(number);
        return bits < 0 ? bits ^ Long.MAX_VALUE : bits;
    }
}
