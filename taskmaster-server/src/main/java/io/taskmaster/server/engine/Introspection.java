package io.taskmaster.server.engine;

import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.Command.Delete;
import io.taskmaster.server.engine.Command.Describe;
import io.taskmaster.server.engine.Command.ListQueues;
import io.taskmaster.server.engine.Reply.Described;
import io.taskmaster.server.engine.Reply.Description;
import io.taskmaster.server.engine.Reply.LeaseSample;
import io.taskmaster.server.engine.Reply.Summary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** List, describe and delete: what concerns queues as a whole (paper section 3.5). Stateless. */
final class Introspection {

    /** The oldest available task is looked for among so many at the head of a queue. */
    private static final int AGE_SAMPLE = 1000;

    private Introspection() {}

    static Decision list(PartitionState state, ListQueues list) {
        Selection.Slice slice = Selection.slice(
                state,
                list.selector(),
                list.after(),
                queue -> queue.total() >= list.minTasks() && queue.availableNow() >= list.minAvailable(),
                list.maxQueues() + 1,
                Parts.QUEUES_LOOKED_AT);
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

    static Decision describe(PartitionState state, Describe describe, long nowMillis) {
        List<QueueState> found = Selection.of(state, describe.selector(), null, queue -> true, Integer.MAX_VALUE);
        List<Decision.Need> unknown = describe.leasedSample() == 0
                ? List.of()
                : unknownLeases(state, found.subList(0, Math.min(found.size(), describe.maxQueues())), describe);
        if (!unknown.isEmpty()) {
            return new Decision.Waits(unknown);
        }
        List<Description> shown = new ArrayList<>();
        Totals totals = new Totals();
        for (QueueState queue : found) {
            boolean show = shown.size() < describe.maxQueues();
            Description description = describe(queue, show ? describe.leasedSample() : 0, nowMillis);
            totals.add(queue, description);
            if (show) {
                shown.add(description);
            }
        }
        return new Decision.Done(null, new Described(shown, totals.toDescription(), found.size()));
    }

    /** Leased tasks that belong into the sample and are not in memory, as far as the head of the time index knows them. */
    private static List<Decision.Need> unknownLeases(PartitionState state, List<QueueState> shown, Describe describe) {
        Map<QueueState, Integer> missing = new HashMap<>();
        for (QueueState queue : shown) {
            int known = leasedSample(queue, describe.leasedSample()).size();
            int wanted = (int) Math.min(describe.leasedSample(), queue.leasedNow());
            // Where there are delayed tasks that nobody knows, most instants may be theirs.
            if (known < wanted && queue.knowsDelayed()) {
                missing.put(queue, wanted - known);
            }
        }
        List<Decision.Need> unknown = new ArrayList<>();
        Iterator<TimeHint> hints = state.times.hints.iterator();
        while (hints.hasNext() && !missing.isEmpty()) {
            TimeHint hint = hints.next();
            QueueState queue = state.queue(hint.queue());
            if (queue != null
                    && missing.containsKey(queue)
                    && queue.generation == hint.generation()
                    && !queue.tasks.containsKey(hint.pid())) {
                unknown.add(new Decision.TaskRow(queue.key, queue.generation, hint.pid(), false));
                missing.computeIfPresent(queue, (_, left) -> left == 1 ? null : left - 1);
            }
        }
        return unknown;
    }

    private static Description describe(QueueState queue, int sample, long nowMillis) {
        Rates rates = queue.rates;
        return new Description(
                queue.summary(),
                rates.enqueuesPerSecond(nowMillis),
                rates.leasesPerSecond(nowMillis),
                rates.dequeuesPerSecond(nowMillis),
                rates.finishedLeases() == 0
                        ? Optional.empty()
                        : Optional.of(rates.finishedLeaseMillis() / rates.finishedLeases()),
                oldestAge(queue, nowMillis),
                rates.expiredLeases(),
                queue.generation,
                queue.options,
                sample == 0 ? List.of() : leasedSample(queue, sample));
    }

    private static Optional<Long> oldestAge(QueueState queue, long nowMillis) {
        long oldest = Long.MAX_VALUE;
        int looked = 0;
        for (Task task : queue.ready.values()) {
            if (task.data != null) {
                oldest = Math.min(oldest, task.data.enqueuedMillis());
            }
            if (++looked == AGE_SAMPLE) {
                break;
            }
        }
        return oldest == Long.MAX_VALUE ? Optional.empty() : Optional.of(Math.max(0, nowMillis - oldest));
    }

    /** Those that run out first. */
    private static List<LeaseSample> leasedSample(QueueState queue, int max) {
        List<LeaseSample> sample = new ArrayList<>();
        for (Task task : queue.timed == null ? List.<Task>of() : queue.timed) {
            Grant grant = task.grant;
            if (grant != null && sample.size() < max) {
                sample.add(new LeaseSample(
                        task.pid,
                        grant.worker(),
                        grant.address(),
                        grant.leasedMillis(),
                        grant.expiresMillis(),
                        task.attempt));
            }
            if (sample.size() == max) {
                break;
            }
        }
        return sample;
    }

    static Decision delete(PartitionState state, Delete delete) {
        long ticket = state.lastTicket() + 1;
        List<Summary> deleted = new ArrayList<>();
        List<QueueChange> changes = new ArrayList<>();
        Selection.Slice slice = Selection.slice(
                state, delete.selector(), delete.after(), queue -> true, Parts.CHANGES, Parts.QUEUES_LOOKED_AT);
        for (QueueState queue : slice.queues()) {
            deleted.add(queue.summary());
            changes.add(new QueueChange(queue.key, ticket, true, Sizes.NONE, FifoPid.NONE, List.of()));
        }
        Decision.Done done = new Decision.Done(
                changes.isEmpty() ? null : new ApplyAtom(ticket, changes), new Reply.Deleted(deleted));
        return slice.end().isEmpty() ? done : new Decision.Partly(done, new Delete(delete.selector(), slice.end()));
    }

    /** The aggregate over all matched queues. */
    private static final class Totals {

        private static final QueueKey NOBODY = new QueueKey(GroupName.EMPTY, QueueName.EMPTY);

        private long available;
        private long leased;
        private long delayed;
        private double enqueueRate;
        private double leaseRate;
        private double dequeueRate;
        private long finished;
        private double finishedMillis;
        private Optional<Long> oldestAge = Optional.empty();
        private long expired;

        void add(QueueState queue, Description description) {
            available += description.summary().available();
            leased += description.summary().leased();
            delayed += description.summary().delayed();
            enqueueRate += description.enqueueRate();
            leaseRate += description.leaseRate();
            dequeueRate += description.dequeueRate();
            finished += queue.rates.finishedLeases();
            finishedMillis += queue.rates.finishedLeaseMillis();
            expired += description.expiredLeases();
            Optional<Long> age = description.oldestAvailableAgeMillis();
            if (age.isPresent() && (oldestAge.isEmpty() || age.get() > oldestAge.get())) {
                oldestAge = age;
            }
        }

        Description toDescription() {
            return new Description(
                    new Summary(NOBODY, available, leased, delayed),
                    enqueueRate,
                    leaseRate,
                    dequeueRate,
                    finished == 0 ? Optional.empty() : Optional.of(finishedMillis / finished),
                    oldestAge,
                    expired,
                    0,
                    QueueOptions.NONE,
                    List.of());
        }
    }
}
