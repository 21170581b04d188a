package io.taskmaster.server.engine.decide;

import io.taskmaster.command.Command.Dequeue;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.Command.Release;
import io.taskmaster.command.Command.Renew;
import io.taskmaster.command.Command.Update;
import io.taskmaster.command.Reply.Status;
import io.taskmaster.command.Reply.Updated;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Grant;
import io.taskmaster.server.engine.decide.Draft.DraftQueue;
import io.taskmaster.server.engine.dedup.DedupEntry;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.Task;
import io.taskmaster.time.Deadlines;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decision on an update: renewals, releases, dequeues and enqueues of one group, as one atom (paper section 3.4).
 * Single-threaded: lives for one decision.
 *
 * <p>Algorithm:
 *
 * <ol>
 *   <li>If the request id is in the dedup window, the reply is that of the first time.
 *   <li>Every task that an element names has to be known to the extent that the element needs ({@link Wanted}). If some
 *       are not, the update waits for their rows and is decided anew.
 *   <li>The elements are judged on a {@link Draft}, in the order renewals, releases, dequeues, enqueues. Each sees the
 *       effects of those before it, so that a dequeue and an enqueue of the same PID work in one update.
 *   <li>The difference of the draft to the state becomes the atom. The reply is remembered under the request id, even
 *       if nothing changed.
 * </ol>
 *
 * <p>The update is all or nothing, renewals aside. A refusing status ({@link Status#refuses}) of a release, dequeue or
 * enqueue refuses all of it: the other elements report {@link Status#ABORTED}, and nothing is remembered. Renewals
 * neither refuse an update nor are undone by one. So after a refusal a second draft is made with the renewals alone.
 *
 * <p>Leases: an element holds a task if it names the newest lease, or 0 for any. An expired lease still holds until the
 * task is leased again, released or replaced, so a slow worker may complete its task; only a renewal requires that the
 * lease has not expired.
 *
 * <p>An enqueue whose PID is there already, by {@link IfExists}:
 *
 * <pre>{@code
 * IfExists  | task under a running lease      | task not under one
 * --------- | ------------------------------- | -----------------------
 * COLLAPSE  | COLLAPSED, no effect            | COLLAPSED, no effect
 * REPLACE   | LEASED, refuses                 | OK, replaced
 * RERUN     | OK, takes its place on dequeue  | OK, replaced
 * FAIL      | ALREADY_EXISTS, refuses         | ALREADY_EXISTS, refuses
 * }</pre>
 */
final class UpdateDecision {

    private final PartitionState state;
    private final Update update;
    private final long nowMillis;
    private final long ticket;

    private final Status[] enqueues;
    private final Status[] dequeues;
    private final Status[] renewals;
    private final Status[] releases;
    private final Pid[] assigned;
    private boolean refused;

    private UpdateDecision(PartitionState state, Update update, long nowMillis) {
        this.state = state;
        this.update = update;
        this.nowMillis = nowMillis;
        this.ticket = state.lastTicket() + 1;
        this.enqueues = new Status[update.enqueues().size()];
        this.dequeues = new Status[update.dequeues().size()];
        this.renewals = new Status[update.renewals().size()];
        this.releases = new Status[update.releases().size()];
        this.assigned = new Pid[update.enqueues().size()];
    }

    static Decision decide(PartitionState state, Update update, long nowMillis) {
        Updated first = firstReply(state, update, nowMillis);
        if (first != null) {
            return new Decision.Done(null, first);
        }
        List<Decision.Need> unknown = unknownTasks(state, update, nowMillis);
        return unknown.isEmpty() ? new UpdateDecision(state, update, nowMillis).decide() : new Decision.Waits(unknown);
    }

    private static List<Decision.Need> unknownTasks(PartitionState state, Update update, long nowMillis) {
        Set<Decision.Need> unknown = Set.of();
        for (Enqueue enqueue : update.enqueues()) {
            unknown = enqueue.pid().isPresent()
                    ? check(state, update, enqueue.queue(), enqueue.pid().get(), Wanted.PRESENCE, unknown)
                    : unknown;
        }
        for (Dequeue dequeue : update.dequeues()) {
            unknown = check(state, update, dequeue.queue(), dequeue.pid(), Wanted.RERUN, unknown);
        }
        for (Renew renew : update.renewals()) {
            unknown = check(state, update, renew.queue(), renew.pid(), Wanted.PRESENCE, unknown);
        }
        for (Release release : update.releases()) {
            Wanted required = release.notBeforeMillis() > nowMillis ? Wanted.EVERYTHING : Wanted.PRESENCE;
            unknown = check(state, update, release.queue(), release.pid(), required, unknown);
        }
        return unknown.isEmpty() ? List.of() : List.copyOf(unknown);
    }

    /** Returns the reply to the first update with this id; null if it has none, or is the first. */
    private static @Nullable Updated firstReply(PartitionState state, Update update, long nowMillis) {
        Bytes reply = update.requestId().isEmpty()
                ? null
                : state.requests().find(update.group(), update.requestId().get(), nowMillis);
        return reply == null ? null : UpdatedCodec.decode(reply);
    }

    /** The parts of a task that have to be in memory before an element of an update can be judged. */
    private enum Wanted {
        /** Presence and the lease. */
        PRESENCE,
        /** Also the rerun that takes its place. */
        RERUN,
        /** Also its data: it is going to be moved. */
        EVERYTHING
    }

    private static Set<Decision.Need> check(
            PartitionState state, Update update, QueueName name, Pid pid, Wanted required, Set<Decision.Need> unknown) {
        QueueState queue = state.queue(new QueueKey(update.group(), name));
        if (queue == null) {
            return unknown;
        }
        Task task = queue.present(pid);
        boolean known = task == null
                ? queue.knows(pid)
                : switch (required) {
                    case PRESENCE -> true;
                    case RERUN -> task.knowsRerun();
                    case EVERYTHING -> task.data() != null && task.knowsRerun();
                };
        if (known) {
            return unknown;
        }
        // A set, since elements that name the same task need its row once.
        Set<Decision.Need> more = unknown.isEmpty() ? new LinkedHashSet<>() : unknown;
        more.add(new Decision.TaskRow(queue.key(), queue.generation(), pid, task != null && task.remembers()));
        return more;
    }

    private Decision decide() {
        Draft draft = new Draft(state, update.group(), ticket);
        validateRenewals(draft);
        validateReleases(draft);
        validateDequeues(draft);
        validateEnqueues(draft);
        if (refused) {
            abort(enqueues);
            abort(dequeues);
            abort(releases);
            // The statuses of the renewals stay the same: they were judged first, on a draft without other changes.
            draft = new Draft(state, update.group(), ticket);
            validateRenewals(draft);
        }
        Updated reply = new Updated(
                !refused,
                List.of(enqueues),
                List.of(dequeues),
                List.of(renewals),
                List.of(releases),
                refused ? List.of() : List.of(assigned));
        List<QueueChange> changes = draft.changes();
        DedupEntry dedupEntry = refused ? null : dedupEntryOf(reply);
        return new Decision.Done(
                changes.isEmpty() && dedupEntry == null ? null : new ApplyAtom(ticket, changes, List.of(), dedupEntry),
                reply);
    }

    /**
     * Returns the dedup entry of the request, also for an update that changed nothing: the same one might change
     * something later.
     */
    private @Nullable DedupEntry dedupEntryOf(Updated reply) {
        return update.requestId()
                .map(id -> new DedupEntry(update.group(), id, nowMillis, UpdatedCodec.encode(reply)))
                .orElse(null);
    }

    private void validateRenewals(Draft draft) {
        for (int i = 0; i < renewals.length; i++) {
            Renew renew = update.renewals().get(i);
            DraftQueue queue = draft.queue(renew.queue());
            DraftTask task = queue.task(renew.pid());
            Grant grant = task.grant;
            if (!task.present) {
                renewals[i] = Status.NOT_FOUND;
            } else if (grant == null || grant.leaseId() != renew.leaseId()) {
                renewals[i] = Status.LEASE_LOST;
            } else if (grant.expiredAt(nowMillis)) {
                renewals[i] = Status.LEASE_EXPIRED;
            } else {
                task.renew(grant.renewed(Deadlines.afterMillis(nowMillis, renew.leaseMillis())));
                renewals[i] = Status.OK;
            }
        }
    }

    private void validateReleases(Draft draft) {
        for (int i = 0; i < releases.length; i++) {
            Release release = update.releases().get(i);
            DraftQueue queue = draft.queue(release.queue());
            DraftTask task = queue.task(release.pid());
            Status status = holds(task, release.leaseId());
            // Lease id 0 holds any task, but without a lease there is nothing to release.
            if (status == Status.OK && task.grant == null) {
                status = Status.LEASE_LOST;
            }
            if (status == Status.OK) {
                if (release.untried()) {
                    task.revertAttempt();
                }
                queue.free(task, future(release.notBeforeMillis()));
            }
            releases[i] = note(status);
        }
    }

    private void validateDequeues(Draft draft) {
        for (int i = 0; i < dequeues.length; i++) {
            Dequeue dequeue = update.dequeues().get(i);
            DraftQueue queue = draft.queue(dequeue.queue());
            DraftTask task = queue.task(dequeue.pid());
            Status status = holds(task, dequeue.leaseId());
            if (status == Status.OK) {
                queue.remove(task, nowMillis);
            }
            dequeues[i] = note(status);
        }
    }

    /**
     * Judges whether a lease id, or 0 for any, holds a task. Expiry does not matter here: an expired lease holds until
     * the next one.
     */
    private static Status holds(DraftTask task, long leaseId) {
        if (!task.present) {
            return Status.NOT_FOUND;
        }
        Grant grant = task.grant;
        return leaseId == 0 || (grant != null && grant.leaseId() == leaseId) ? Status.OK : Status.LEASE_LOST;
    }

    private void validateEnqueues(Draft draft) {
        for (int i = 0; i < enqueues.length; i++) {
            Enqueue enqueue = update.enqueues().get(i);
            DraftQueue queue = draft.queue(enqueue.queue());
            Optional<Pid> explicit = enqueue.pid();
            Pid pid = explicit.isPresent() ? explicit.get() : queue.assignPid(ticket, i);
            DraftTask task = queue.task(pid);
            Status status = task.present ? collide(task, enqueue.ifExists()) : Status.OK;
            if (status == Status.OK) {
                Enqueued data = new Enqueued(enqueue.payload(), nowMillis, future(enqueue.notBeforeMillis()));
                // Only a rerun comes here with a running lease: the other modes have collapsed or refused.
                if (isHeld(task.grant)) {
                    task.remember(data);
                } else {
                    queue.put(task, data);
                }
            }
            enqueues[i] = note(status);
            assigned[i] = pid;
        }
    }

    private Status collide(DraftTask task, IfExists ifExists) {
        return switch (ifExists) {
            case COLLAPSE -> Status.COLLAPSED;
            case FAIL -> Status.ALREADY_EXISTS;
            case REPLACE -> isHeld(task.grant) ? Status.LEASED : Status.OK;
            case RERUN -> Status.OK;
        };
    }

    /** Returns the instant if it is still to come; otherwise 0. */
    private long future(long millis) {
        return millis > nowMillis ? millis : 0;
    }

    private boolean isHeld(@Nullable Grant grant) {
        return grant != null && !grant.expiredAt(nowMillis);
    }

    private Status note(Status status) {
        refused |= status.refuses();
        return status;
    }

    private static void abort(Status[] statuses) {
        Arrays.setAll(statuses, i -> statuses[i].refuses() ? statuses[i] : Status.ABORTED);
    }
}
