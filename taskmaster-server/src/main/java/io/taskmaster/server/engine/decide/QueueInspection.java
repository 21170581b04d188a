package io.taskmaster.server.engine.decide;

import io.taskmaster.command.Command.Delete;
import io.taskmaster.command.Command.Describe;
import io.taskmaster.command.Command.ListQueues;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.FifoPid;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Described;
import io.taskmaster.command.Reply.Description;
import io.taskmaster.command.Reply.LeaseSample;
import io.taskmaster.command.Reply.Summary;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.command.Grant;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.engine.select.Selection;
import io.taskmaster.server.engine.select.SelectionTotals;
import io.taskmaster.server.engine.select.SelectorCache;
import io.taskmaster.server.engine.select.TotalsScan;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.Rates;
import io.taskmaster.server.engine.state.Task;
import io.taskmaster.server.engine.state.TimeHint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The decisions on list, describe and delete: commands that concern queues as a whole (paper section 3.5). Stateless.
 */
public final class QueueInspection {

    private QueueInspection() {}

    static Decision list(PartitionState state, SelectorCache selectors, ListQueues list) {
        Selection.Slice slice = Selection.slice(
                state,
                selectors,
                list.selector(),
                list.after(),
                queue -> queue.isShown()
                        && queue.total() >= list.minTasks()
                        && queue.availableNow() >= list.minAvailable(),
                // One more than the reply takes, to learn whether there are more.
                list.maxQueues() + 1,
                PartialReplies.MAX_QUEUES_EXAMINED);
        List<QueueState> found = slice.queues();
        boolean more = found.size() > list.maxQueues();
        List<Summary> summaries = new ArrayList<>(found.size());
        for (QueueState queue : more ? found.subList(0, list.maxQueues()) : found) {
            summaries.add(queue.summary());
        }
        Decision.Done done = new Decision.Done(null, new Reply.Listed(summaries, more));
        return more || slice.end().isEmpty()
                ? done
                : new Decision.Partly(
                        done,
                        new ListQueues(
                                list.selector(),
                                list.minTasks(),
                                list.minAvailable(),
                                list.maxQueues() - found.size(),
                                slice.end()));
    }

    static Decision describe(PartitionState state, SelectorCache selectors, Describe describe, long nowMillis) {
        List<QueueState> found =
                Selection.of(state, selectors, describe.selector(), null, QueueState::isShown, describe.maxQueues());
        List<Decision.Need> unknown =
                describe.leasedSample() == 0 ? List.of() : unknownLeases(state, found, describe.leasedSample());
        if (!unknown.isEmpty()) {
            return new Decision.Waits(unknown);
        }
        SelectionTotals selectionTotals = totals(state, selectors, describe.selector(), nowMillis);
        if (selectionTotals == null) {
            return new Decision.Waits(List.of(new Decision.Counted(describe.selector())));
        }
        List<Description> described = found.stream()
                .map(queue -> describe(queue, describe.leasedSample(), nowMillis))
                .toList();
        return new Decision.Done(
                null, new Described(described, selectionTotals.toDescription(nowMillis), selectionTotals.queues()));
    }

    /**
     * Returns the sum over all queues that a selector chooses; null if they are too many for one go, and not counted
     * yet.
     */
    private static @Nullable SelectionTotals totals(
            PartitionState state, SelectorCache selectors, Selector selector, long nowMillis) {
        if (selector.isByName()) {
            SelectionTotals selectionTotals = new SelectionTotals();
            for (QueueState queue :
                    Selection.of(state, selectors, selector, null, QueueState::isShown, Integer.MAX_VALUE)) {
                selectionTotals.add(queue, nowMillis);
            }
            return selectionTotals;
        }
        TotalsScan totalsScan = selectors.totals(selector);
        if (totalsScan == null && TotalsScan.isShort(state.queues())) {
            totalsScan = new TotalsScan(selectors.of(selector), state.queues());
            totalsScan.advance(nowMillis);
        }
        return totalsScan == null ? null : totalsScan.selectionTotals();
    }

    /**
     * Returns leased tasks that belong into the sample and are not in memory, as far as the head of the time index has
     * them.
     */
    private static List<Decision.Need> unknownLeases(PartitionState state, List<QueueState> described, int sample) {
        Map<QueueState, Integer> missing = new HashMap<>();
        for (QueueState queue : described) {
            int known = leasedSample(queue, sample).size();
            int sampleSize = (int) Math.min(sample, queue.leasedNow());
            // Where there are delayed tasks that are not in memory, most instants may be theirs.
            if (known < sampleSize && queue.knowsDelayed()) {
                missing.put(queue, sampleSize - known);
            }
        }
        List<Decision.Need> unknown = new ArrayList<>();
        Iterator<TimeHint> hints = state.hints().known().iterator();
        while (hints.hasNext() && !missing.isEmpty()) {
            TimeHint hint = hints.next();
            QueueState queue = state.queue(hint.queue());
            if (queue != null
                    && missing.containsKey(queue)
                    && queue.generation() == hint.generation()
                    && !queue.isKnown(hint.pid())) {
                unknown.add(new Decision.TaskRow(queue.key(), queue.generation(), hint.pid(), false));
                missing.computeIfPresent(queue, (_, remaining) -> remaining == 1 ? null : remaining - 1);
            }
        }
        return unknown;
    }

    public static Description describe(QueueState queue, int sample, long nowMillis) {
        Rates rates = queue.rates();
        return new Description(
                queue.summary(),
                rates.enqueuesPerSecond(nowMillis),
                rates.leasesPerSecond(nowMillis),
                rates.dequeuesPerSecond(nowMillis),
                rates.meanLeaseMillis(),
                QueueState.age(queue.oldestReadyMillis(), nowMillis),
                rates.counts(),
                queue.generation(),
                queue.options(),
                sample == 0 ? List.of() : leasedSample(queue, sample));
    }

    /** Describes a queue that is empty and forgotten. */
    public static Description describe(QueueKey queue, Rates rates, long nowMillis) {
        return new Description(
                new Summary(queue, 0, 0, 0),
                rates.enqueuesPerSecond(nowMillis),
                rates.leasesPerSecond(nowMillis),
                rates.dequeuesPerSecond(nowMillis),
                rates.meanLeaseMillis(),
                Optional.empty(),
                rates.counts(),
                0,
                QueueOptions.NONE,
                List.of());
    }

    /** Returns the leases that expire first. */
    private static List<LeaseSample> leasedSample(QueueState queue, int max) {
        List<LeaseSample> sample = new ArrayList<>();
        for (Task task : queue.timedTasks()) {
            if (sample.size() == max) {
                break;
            }
            Grant grant = task.grant();
            if (grant != null) {
                sample.add(new LeaseSample(
                        task.pid(),
                        grant.leaseId(),
                        grant.worker(),
                        grant.address(),
                        grant.leasedMillis(),
                        grant.expiresMillis(),
                        task.attempt()));
            }
        }
        return sample;
    }

    static Decision delete(PartitionState state, SelectorCache selectors, Delete delete) {
        long ticket = state.lastTicket() + 1;
        List<Summary> deleted = new ArrayList<>();
        List<QueueChange> changes = new ArrayList<>();
        Selection.Slice slice = Selection.slice(
                state,
                selectors,
                delete.selector(),
                delete.after(),
                queue -> queue.total() > 0,
                PartialReplies.CHANGES,
                PartialReplies.MAX_QUEUES_EXAMINED);
        for (QueueState queue : slice.queues()) {
            deleted.add(queue.summary());
            // A new generation, whatever the number of tasks: their rows are dead from here on and are reaped later.
            changes.add(new QueueChange(queue.key(), ticket, true, Sizes.NONE, FifoPid.NONE, List.of()));
        }
        Decision.Done done = new Decision.Done(
                changes.isEmpty() ? null : new ApplyAtom(ticket, changes), new Reply.Deleted(deleted));
        return slice.end().isEmpty() ? done : new Decision.Partly(done, new Delete(delete.selector(), slice.end()));
    }
}
