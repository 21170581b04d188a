package io.taskmaster.server.engine.naive;

import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Leased;
import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.naive.NaiveTask.NaiveLease;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rules of leases. A lease takes of each chosen queue the first available tasks, of all together no more than was
 * requested, and nothing only where nothing is available. The distribution over the queues, and the number it takes at
 * once, are its own choice.
 */
final class LeaseRules {

    private LeaseRules() {}

    static void check(NaiveQueues state, Lease request, Leased reply, Moment moment) {
        SortedMap<QueueKey, List<Pid>> available = available(state, request, moment.nowMillis());
        List<LeasedTask> tasks = reply.tasks();
        if (tasks.isEmpty()) {
            boolean tooLarge = !request.atLeastOne() && isAnyTooLarge(state, request, available);
            Unexplained.unless(
                    available.isEmpty() || tooLarge, "leased nothing at %s, where there was %s", moment, available);
            return;
        }
        Unexplained.unless(tasks.size() <= request.maxTasks(), "leased more than asked for: %s", reply);
        long bytes =
                tasks.stream().mapToLong(task -> task.payload().data().size()).sum();
        boolean whatever = request.atLeastOne() && tasks.size() == 1;
        Unexplained.unless(whatever || bytes <= request.maxBytes(), "leased %d bytes: %s", bytes, reply);
        long leaseId = tasks.getFirst().leaseId();
        Unexplained.unless(leaseId > state.largestLeaseId, "lease id %d comes after %d", leaseId, state.largestLeaseId);
        NaiveQueues after = state.copy();
        after.largestLeaseId = leaseId;
        for (LeasedTask leased : tasks) {
            NaiveTask task = Unexplained.unlessPresent(
                    after.tasks(leased.queue()).get(leased.pid()), "leased what is not there: %s", leased);
            NaiveLease lease = NaiveLease.granted(leaseId, request, moment.nowMillis());
            List<Pid> candidates = available.getOrDefault(leased.queue(), List.of());
            Unexplained.unless(
                    !candidates.isEmpty() && candidates.removeFirst().equals(leased.pid()),
                    "leased %s at %s out of turn: there was %s",
                    leased,
                    moment,
                    task);
            Unexplained.unless(
                    leased.leaseId() == leaseId
                            && leased.expiresMillis() == lease.expiresMillis()
                            && leased.attempt() == task.attempt() + 1
                            && leased.payload().equals(task.payload())
                            && task.mayBeEnqueuedAt(leased.enqueuedMillis()),
                    "leased %s at %s, where there was %s",
                    leased,
                    moment,
                    task);
            after.lease(leased.queue(), leased.pid(), lease);
        }
        state.become(after);
    }

    /** Returns whether some queue may be passed over, since its first task does not fit. */
    private static boolean isAnyTooLarge(NaiveQueues state, Lease request, SortedMap<QueueKey, List<Pid>> available) {
        return available.entrySet().stream().anyMatch(entry -> {
            QueueKey queue = entry.getKey();
            Pid first = entry.getValue().getFirst();
            NaiveTask task = state.tasks(queue).get(first);
            return task != null && Reply.replyBytesOf(queue, first, task.payload()) > request.maxBytes();
        });
    }

    /** Returns every choice that the lease may have made, none included. */
    static List<NaiveQueues> unanswered(NaiveQueues state, Lease request, Moment moment) {
        record Choice(NaiveQueues after, int granted) {}
        NaiveLease lease = NaiveLease.granted(NaiveLease.UNKNOWN_TIME, request, moment.nowMillis());
        List<Choice> choices = new ArrayList<>(List.of(new Choice(state.copy(), 0)));
        available(state, request, moment.nowMillis()).forEach((queue, pids) -> {
            for (Choice before : List.copyOf(choices)) {
                Choice choice = before;
                for (Pid pid : pids.subList(0, Math.min(pids.size(), request.maxTasks() - before.granted))) {
                    choice = new Choice(choice.after.copy(), choice.granted + 1);
                    choice.after.lease(queue, pid, lease);
                    choices.add(choice);
                }
            }
        });
        return choices.stream().map(Choice::after).toList();
    }

    /** Returns by queue the tasks that may be leased, in order. Queues without any are left out. */
    private static SortedMap<QueueKey, List<Pid>> available(NaiveQueues state, Lease request, long nowMillis) {
        SortedMap<QueueKey, List<Pid>> available = new TreeMap<>();
        state.chosen(request.selector()).forEach((queue, tasks) -> {
            List<Pid> pids = new ArrayList<>();
            tasks.forEach((pid, task) -> {
                boolean within = request.maxPid().isEmpty()
                        || pid.compareTo(request.maxPid().get()) <= 0;
                if (within && task.isAvailable(nowMillis)) {
                    pids.add(pid);
                }
            });
            int remaining = state.remainingLeases(queue, request.maxLeasedPerQueue(), nowMillis);
            if (!pids.isEmpty() && remaining > 0) {
                available.put(queue, new ArrayList<>(pids.subList(0, Math.min(remaining, pids.size()))));
            }
        });
        return available;
    }
}
