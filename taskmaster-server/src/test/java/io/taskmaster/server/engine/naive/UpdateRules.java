package io.taskmaster.server.engine.naive;

import static io.taskmaster.command.Reply.Status.ABORTED;
import static io.taskmaster.command.Reply.Status.ALREADY_EXISTS;
import static io.taskmaster.command.Reply.Status.COLLAPSED;
import static io.taskmaster.command.Reply.Status.LEASED;
import static io.taskmaster.command.Reply.Status.LEASE_EXPIRED;
import static io.taskmaster.command.Reply.Status.LEASE_LOST;
import static io.taskmaster.command.Reply.Status.NOT_FOUND;
import static io.taskmaster.command.Reply.Status.OK;

import io.taskmaster.command.Command.Dequeue;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.Release;
import io.taskmaster.command.Command.Renew;
import io.taskmaster.command.Command.Update;
import io.taskmaster.command.Reply.Status;
import io.taskmaster.command.Reply.Updated;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The rules of updates: renewals, releases, dequeues, enqueues, each list in its own order, and each element sees those
 * before it. If any element refuses, nothing but the valid renewals stays.
 */
final class UpdateRules {

    private final GroupName group;
    private final Moment moment;

    /** The state with everything applied so far. */
    private final NaiveQueues draft;

    private UpdateRules(NaiveQueues before, GroupName group, Moment moment) {
        this.group = group;
        this.moment = moment;
        this.draft = before.copy();
    }

    static void check(NaiveQueues state, Update update, Updated reply, Moment moment) {
        Optional<Updated> before = state.remembered(update, moment.nowMillis());
        if (before.isPresent()) {
            Unexplained.unless(before.get().equals(reply), "answered %s, and %s before", reply, before.get());
            return;
        }
        Unexplained.unless(
                reply.assignedPids().size()
                        == (reply.success() ? update.enqueues().size() : 0),
                "%d assigned PIDs for %d enqueues: %s",
                reply.assignedPids().size(),
                update.enqueues().size(),
                reply);
        UpdateRules rules = new UpdateRules(state, update.group(), moment);
        List<Optional<Pid>> pids = new ArrayList<>();
        for (int i = 0; i < update.enqueues().size(); i++) {
            Optional<Pid> asked = update.enqueues().get(i).pid();
            pids.add(
                    asked.isPresent() || !reply.success()
                            ? asked
                            : Optional.of(reply.assignedPids().get(i)));
        }
        Outcome outcome = rules.run(update, pids);
        Unexplained.unless(
                outcome.reply.equals(reply), "answered %s, expected %s, at %s", reply, outcome.reply, moment);
        state.become(outcome.after);
    }

    static List<NaiveQueues> unanswered(
            NaiveQueues state, Update update, Moment moment, Function<Enqueue, List<Optional<Pid>>> observed) {
        if (state.remembered(update, moment.nowMillis()).isPresent()) {
            return List.of(state.copy());
        }
        List<List<Optional<Pid>>> choices = List.of(List.of());
        for (Enqueue enqueue : update.enqueues()) {
            List<Optional<Pid>> pids = enqueue.pid().isPresent() ? List.of(enqueue.pid()) : observed.apply(enqueue);
            choices = choices.stream()
                    .flatMap(chosen -> pids.stream().map(pid -> append(chosen, pid)))
                    .toList();
        }
        List<NaiveQueues> results = new ArrayList<>();
        for (List<Optional<Pid>> pids : choices) {
            try {
                results.add(new UpdateRules(state, update.group(), moment).run(update, pids).after);
            } catch (Unexplained impossible) {
                // Such a PID cannot have been assigned here.
            }
        }
        return results;
    }

    private static <T> List<T> append(List<T> list, T element) {
        List<T> longer = new ArrayList<>(list);
        longer.add(element);
        return longer;
    }

    private record Outcome(Updated reply, NaiveQueues after) {}

    /** @param pids what to enqueue under; absent: assigned, but never seen by a client */
    private Outcome run(Update update, List<Optional<Pid>> pids) {
        List<Status> renewals = update.renewals().stream().map(this::renew).toList();
        NaiveQueues renewed = draft.copy();
        List<Status> releases = update.releases().stream().map(this::release).toList();
        List<Status> dequeues = update.dequeues().stream().map(this::dequeue).toList();
        List<Status> enqueues = new ArrayList<>();
        List<Pid> assigned = new ArrayList<>();
        for (int i = 0; i < pids.size(); i++) {
            Enqueue enqueue = update.enqueues().get(i);
            Pid pid = pids.get(i).orElseGet(() -> behindAllAssigned(key(enqueue.queue())));
            enqueues.add(enqueue(enqueue, pid));
            assigned.add(pid);
        }
        boolean refused = List.of(releases, dequeues, enqueues).stream()
                .flatMap(List::stream)
                .anyMatch(Status::refuses);
        return refused
                ? new Outcome(
                        new Updated(
                                false, aborted(enqueues), aborted(dequeues), renewals, aborted(releases), List.of()),
                        renewed)
                : remembered(update, new Updated(true, enqueues, dequeues, renewals, releases, assigned));
    }

    private Outcome remembered(Update update, Updated reply) {
        update.requestId().ifPresent(id -> draft.applied.put(id, new NaiveQueues.Applied(moment.nowMillis(), reply)));
        return new Outcome(reply, draft);
    }

    private Status renew(Renew renew) {
        QueueKey queue = key(renew.queue());
        NaiveTask task = draft.tasks(queue).get(renew.pid());
        if (task == null) {
            return NOT_FOUND;
        }
        if (!task.isNewestLease(renew.leaseId())) {
            return LEASE_LOST;
        }
        if (!task.isLeased(moment.nowMillis())) {
            return LEASE_EXPIRED;
        }
        draft.put(queue, renew.pid(), task.renewed(moment.nowMillis() + renew.leaseMillis()));
        return OK;
    }

    private Status release(Release release) {
        QueueKey queue = key(release.queue());
        NaiveTask task = draft.tasks(queue).get(release.pid());
        if (task == null) {
            return NOT_FOUND;
        }
        if (release.leaseId() == 0 ? task.lease().isEmpty() : !task.isNewestLease(release.leaseId())) {
            return LEASE_LOST;
        }
        draft.put(queue, release.pid(), task.released(release, moment.nowMillis()));
        return OK;
    }

    private Status dequeue(Dequeue dequeue) {
        QueueKey queue = key(dequeue.queue());
        NaiveTask task = draft.tasks(queue).get(dequeue.pid());
        if (task == null) {
            return NOT_FOUND;
        }
        if (dequeue.leaseId() != 0 && !task.isNewestLease(dequeue.leaseId())) {
            return LEASE_LOST;
        }
        if (task.rerun().isPresent()) {
            draft.put(
                    queue, dequeue.pid(), NaiveTask.enqueued(task.rerun().get().asOf(moment.nowMillis())));
        } else {
            draft.remove(queue, dequeue.pid());
        }
        return OK;
    }

    private Status enqueue(Enqueue enqueue, Pid pid) {
        QueueKey queue = key(enqueue.queue());
        NaiveTask existing = draft.tasks(queue).get(pid);
        if (enqueue.pid().isEmpty()) {
            Pid largest = draft.largestAssigned.get(queue);
            Unexplained.unless(
                    existing == null
                            && NaiveQueues.isAssignedForm(pid)
                            && (largest == null || largest.compareTo(pid) < 0),
                    "assigned %s in %s, where there was %s and the largest so far is %s",
                    pid,
                    queue,
                    existing,
                    largest);
        } else if (existing != null) {
            switch (enqueue.ifExists()) {
                case COLLAPSE -> {
                    return COLLAPSED;
                }
                case FAIL -> {
                    return ALREADY_EXISTS;
                }
                case REPLACE -> {
                    if (existing.isLeased(moment.nowMillis())) {
                        return LEASED;
                    }
                }
                case RERUN -> {
                    if (existing.isLeased(moment.nowMillis())) {
                        draft.put(queue, pid, existing.remembering(NaiveTask.Brought.by(enqueue, moment)));
                        return OK;
                    }
                }
            }
        }
        draft.put(queue, pid, NaiveTask.enqueued(NaiveTask.Brought.by(enqueue, moment)));
        return OK;
    }

    private Pid behindAllAssigned(QueueKey queue) {
        Pid largest = draft.largestAssigned.get(queue);
        if (largest == null) {
            return Pid.wrap(new byte[] {(byte) NaiveQueues.ASSIGNED_TAG});
        }
        return Pid.wrap(Arrays.copyOf(largest.toByteArray(), largest.size() + 1));
    }

    private QueueKey key(QueueName queue) {
        return new QueueKey(group, queue);
    }

    private static List<Status> aborted(List<Status> statuses) {
        return statuses.stream()
                .map(status -> status.refuses() ? status : ABORTED)
                .toList();
    }
}
