package io.taskmaster.server.engine.decide;

import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Leased;
import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.ApplyAtom.TaskChange;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Grant;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.engine.select.SelectorCache;
import io.taskmaster.server.engine.select.WeightedRoundRobin;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.Task;
import io.taskmaster.time.Deadlines;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision on a lease: round-robin over the chosen queues, from each its first available tasks (paper section 3.3).
 * Single-threaded: lives for one decision.
 *
 * <p>Tasks that are known to be there but whose data are not in memory are read first. A queue whose window has nothing
 * left is scanned on if no other queue has anything; otherwise the lease takes what is in memory. A large lease is
 * decided in parts.
 */
final class LeaseDecision {

    /**
     * The number of queues that a lease passes over because they have to be read first; further ones wait for another
     * lease.
     */
    private static final int MAX_SKIPPED = 64;

    private final PartitionState state;
    private final SelectorCache selectors;
    private final Lease lease;
    private final long nowMillis;
    private final long ticket;
    private final List<Pick> picks = new ArrayList<>();
    private final List<Decision.Need> needs = new ArrayList<>();
    private final List<LeasedTask> leased = new ArrayList<>();

    /** The number of tasks that it takes at once. */
    private final int limit;

    private long bytes;
    private boolean full;

    private LeaseDecision(PartitionState state, SelectorCache selectors, Lease lease, long nowMillis) {
        this.state = state;
        this.selectors = selectors;
        this.lease = lease;
        this.nowMillis = nowMillis;
        this.ticket = state.lastTicket() + 1;
        this.limit = Math.min(lease.maxTasks(), PartialReplies.CHANGES);
    }

    static Decision decide(PartitionState state, SelectorCache selectors, Lease lease, long nowMillis) {
        return new LeaseDecision(state, selectors, lease, nowMillis).decide();
    }

    /** Decides whether the lease would get something now, at once or after a read. */
    static Decision watch(PartitionState state, SelectorCache selectors, Lease lease, long nowMillis) {
        Decision decision = decide(state, selectors, lease, nowMillis);
        boolean mayHaveTasks = decision instanceof Decision.Waits
                || decision instanceof Decision.Partly
                || (decision instanceof Decision.Done done
                        && done.reply() instanceof Leased leased
                        && !leased.tasks().isEmpty());
        return new Decision.Done(null, new Reply.Watched(mayHaveTasks));
    }

    private Decision decide() {
        visitQueues();
        if (!needs.isEmpty()) {
            return new Decision.Waits(needs);
        }
        List<QueueKey> skipped = picks.stream()
                .filter(Pick::awaitsRead)
                .map(pick -> pick.queue.key())
                .toList();
        // The lease waits only if it got nothing. Otherwise the queues that were passed over are read for the next one.
        if (leased.isEmpty()) {
            return skipped.isEmpty()
                    ? new Decision.Done(null, new Leased(List.of()))
                    : new Decision.Waits(skipped.stream()
                            .<Decision.Need>map(Decision.MoreTasks::new)
                            .toList());
        }
        List<QueueChange> changes = new ArrayList<>(picks.size());
        for (Pick pick : picks) {
            if (!pick.changes.isEmpty()) {
                changes.add(pick.toChange());
            }
        }
        Decision.Done done = new Decision.Done(new ApplyAtom(ticket, changes), new Leased(leased), skipped);
        // A part that is full, but is not the whole lease, leaves a rest for another loop tick.
        return leased.size() < limit || leased.size() == lease.maxTasks()
                ? done
                : new Decision.Partly(done, lease.without(leased.size(), bytes));
    }

    /**
     * Takes from each queue its share of the round; then goes on with the queues that had something, until there is
     * enough or none is left.
     */
    private void visitQueues() {
        if (lease.selector().isOneQueue()) {
            QueueState queue = state.queue(lease.selector().keys().getFirst());
            if (queue != null && queue.leasable() > 0) {
                take(queue, limit);
            }
        } else {
            WeightedRoundRobin.Round round = selectors
                    .of(lease.selector())
                    .rotation(lease.maxLeasedPerQueue())
                    .round();
            int awaitingRead = 0;
            for (QueueState queue = round.next(); queue != null && awaitingRead < MAX_SKIPPED; queue = round.next()) {
                awaitingRead += take(queue, round.due()) ? 0 : 1;
                if (full) {
                    break;
                }
            }
        }
        // Further rounds visit only the queues of the walk above. The others have nothing, or are left to the next
        // lease.
        boolean progress = true;
        while (progress && !full) {
            progress = false;
            for (Pick pick : picks) {
                progress |= !full && pick.leaseUpTo(pick.queue.options().weight()) > 0;
            }
        }
    }

    /**
     * Takes the first tasks of a queue, up to this number.
     *
     * @return whether nothing has to be read for that
     */
    private boolean take(QueueState queue, int due) {
        Pick pick = new Pick(queue);
        boolean took = pick.leaseUpTo(due) > 0;
        if (took || pick.awaitsRead()) {
            picks.add(pick);
        }
        return took || !pick.awaitsRead();
    }

    /** The tasks taken from one queue. */
    private final class Pick {

        private final QueueState queue;
        private final List<TaskChange> changes = new ArrayList<>();
        private @Nullable Task last;
        private long expiredLeased;
        private boolean exhausted;
        private final long remaining;

        Pick(QueueState queue) {
            this.queue = queue;
            this.remaining = queue.remainingLeases(lease.maxLeasedPerQueue());
        }

        int leaseUpTo(int due) {
            int taken = 0;
            while (taken < due && !full && leaseNext()) {
                taken++;
            }
            return taken;
        }

        private boolean leaseNext() {
            if (exhausted || changes.size() >= remaining) {
                return false;
            }
            Task task = queue.nextReady(last);
            if (task == null
                    || (lease.maxPid().isPresent()
                            && task.pid().compareTo(lease.maxPid().get()) > 0)) {
                exhausted = true;
                return false;
            }
            last = task;
            Enqueued data = task.data();
            if (data == null) {
                // The data have to be read first: the task counts against the bound, so that one wait covers the whole
                // lease.
                needs.add(new Decision.TaskRow(queue.key(), queue.generation(), task.pid(), false));
                full = leased.size() + needs.size() >= limit;
                return true;
            }
            long size = Reply.replyBytesOf(queue.key(), task.pid(), data.payload());
            if ((!leased.isEmpty() || !lease.atLeastOne()) && bytes + size > lease.maxBytes()) {
                full = true;
                return false;
            }
            take(task, data);
            bytes += size;
            return true;
        }

        private void take(Task task, Enqueued data) {
            Grant grant = new Grant(
                    ticket,
                    nowMillis,
                    Deadlines.afterMillis(nowMillis, lease.leaseMillis()),
                    lease.worker(),
                    lease.address());
            // A ready task with a grant is one whose lease has expired. The sizes count it as leased already (ADR 3).
            expiredLeased += task.grant() != null ? 1 : 0;
            changes.add(new ApplyAtom.Lease(task.pid(), grant, task.attempt() + 1, task.remembers()));
            leased.add(new LeasedTask(
                    queue.key(),
                    task.pid(),
                    data.payload(),
                    ticket,
                    grant.expiresMillis(),
                    task.attempt() + 1,
                    data.enqueuedMillis()));
            full = leased.size() + needs.size() >= limit;
        }

        /** Returns whether nothing in memory can be taken, and a scan would bring something. */
        boolean awaitsRead() {
            boolean aboveMaxPid = lease.maxPid().isPresent()
                    && !queue.window().isComplete()
                    && queue.window().scanFrom().compareTo(lease.maxPid().get()) > 0;
            return changes.isEmpty()
                    && remaining > 0
                    && queue.hasMoreStored()
                    && !aboveMaxPid
                    && queue.nextReady(null) == null;
        }

        QueueChange toChange() {
            long newlyLeased = changes.size() - expiredLeased;
            return new QueueChange(
                    queue.key(),
                    queue.generation(),
                    false,
                    new Sizes(queue.available() - newlyLeased, queue.leased() + newlyLeased, queue.delayed()),
                    queue.maxFifo(),
                    changes);
        }
    }
}
