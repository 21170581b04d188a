package io.taskmaster.server.engine;

import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.ApplyAtom.TaskChange;
import io.taskmaster.server.engine.Command.Lease;
import io.taskmaster.server.engine.Reply.Leased;
import io.taskmaster.server.engine.Reply.LeasedTask;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Picks what a lease gets: round robin over the chosen queues, from each its first available tasks. Single-threaded: lives for one
 * decision.
 *
 * <p>Tasks that are known to be there but whose data are not in memory are read first. A queue whose window has nothing left is
 * scanned on if no other queue has anything; otherwise the lease takes what is at hand.
 */
final class LeaseDecision {

    private final PartitionState state;
    private final Lease lease;
    private final long nowMillis;
    private final long ticket;
    private final List<Decision.Need> needs = new ArrayList<>();
    private final List<LeasedTask> leased = new ArrayList<>();
    private long bytes;
    private boolean full;

    private LeaseDecision(PartitionState state, Lease lease, long nowMillis) {
        this.state = state;
        this.lease = lease;
        this.nowMillis = nowMillis;
        this.ticket = state.lastTicket() + 1;
    }

    static Decision decide(PartitionState state, Lease lease, long nowMillis) {
        return new LeaseDecision(state, lease, nowMillis).decide();
    }

    /** Whether the lease would get something now, at once or after a read. */
    static Decision watch(PartitionState state, Lease lease, long nowMillis) {
        Decision decision = decide(state, lease, nowMillis);
        boolean mayFind = decision instanceof Decision.Waits
                || (decision instanceof Decision.Done done
                        && done.reply() instanceof Leased leased
                        && !leased.tasks().isEmpty());
        return new Decision.Done(null, new Reply.Watched(mayFind));
    }

    private Decision decide() {
        List<Pick> picks = picks();
        boolean progress = true;
        while (progress && !full) {
            progress = false;
            for (Pick pick : picks) {
                progress |= !full && pick.takeNext();
            }
        }
        if (!needs.isEmpty()) {
            return new Decision.Waits(needs);
        }
        if (leased.isEmpty()) {
            List<Decision.Need> more = new ArrayList<>();
            picks.forEach(pick -> pick.askForMore(more));
            return more.isEmpty() ? new Decision.Done(null, new Leased(List.of())) : new Decision.Waits(more);
        }
        List<QueueChange> changes = new ArrayList<>(picks.size());
        for (Pick pick : picks) {
            if (!pick.changes.isEmpty()) {
                changes.add(pick.toChange());
            }
        }
        return new Decision.Done(new ApplyAtom(ticket, changes), new Leased(leased), passedOver(picks));
    }

    private static List<QueueKey> passedOver(List<Pick> picks) {
        List<QueueKey> passedOver = List.of();
        for (Pick pick : picks) {
            if (pick.changes.isEmpty() && pick.queue.hasMoreStored() && pick.queue.nextReady(null) == null) {
                passedOver = passedOver.isEmpty() ? new ArrayList<>() : passedOver;
                passedOver.add(pick.queue.key);
            }
        }
        return passedOver;
    }

    /** The chosen queues, beginning behind the one that the last lease ended with. */
    private List<Pick> picks() {
        List<QueueState> queues = Selection.of(
                state,
                lease.selector(),
                null,
                queue -> queue.leasable() > 0 && queue.leasesLeft(lease.maxLeasedPerQueue()) > 0,
                Integer.MAX_VALUE);
        List<Pick> picks = new ArrayList<>(queues.size());
        QueueKey cursor = state.turns().last(lease.selector());
        int first = 0;
        while (first < queues.size() && cursor != null && queues.get(first).key.compareTo(cursor) <= 0) {
            first++;
        }
        for (int i = 0; i < queues.size(); i++) {
            picks.add(new Pick(queues.get((first + i) % queues.size())));
        }
        return picks;
    }

    /** What is taken from one queue. */
    private final class Pick {

        private final QueueState queue;
        private final List<TaskChange> changes = new ArrayList<>();
        private @Nullable Task last;
        private long expiredTaken;
        private boolean exhausted;
        private final long left;

        Pick(QueueState queue) {
            this.queue = queue;
            this.left = queue.leasesLeft(lease.maxLeasedPerQueue());
        }

        boolean takeNext() {
            if (exhausted || changes.size() >= left) {
                return false;
            }
            Task task = queue.nextReady(last);
            if (task == null
                    || (lease.maxPid().isPresent()
                            && task.pid.compareTo(lease.maxPid().get()) > 0)) {
                exhausted = true;
                return false;
            }
            last = task;
            Enqueued data = task.data;
            if (data == null) {
                needs.add(new Decision.TaskRow(queue.key, queue.generation, task.pid, false));
                full = leased.size() + needs.size() >= lease.maxTasks();
                return true;
            }
            long size = Reply.replyBytesOf(queue.key, task.pid, data.payload());
            if ((!leased.isEmpty() || !lease.atLeastOne()) && bytes + size > lease.maxBytes()) {
                full = true;
                return false;
            }
            take(task, data);
            bytes += size;
            return true;
        }

        private void take(Task task, Enqueued data) {
            Grant grant =
                    new Grant(ticket, nowMillis, nowMillis + lease.leaseMillis(), lease.worker(), lease.address());
            expiredTaken += task.grant != null ? 1 : 0;
            changes.add(new ApplyAtom.Lease(task.pid, grant, task.attempt + 1, task.remembers));
            leased.add(new LeasedTask(
                    queue.key,
                    task.pid,
                    data.payload(),
                    ticket,
                    grant.expiresMillis(),
                    task.attempt + 1,
                    data.enqueuedMillis()));
            full = leased.size() + needs.size() >= lease.maxTasks();
        }

        /** There is nothing at hand: is there something that a scan would bring? */
        void askForMore(List<Decision.Need> more) {
            boolean beyondFilter = lease.maxPid().isPresent()
                    && !queue.window.isComplete()
                    && queue.window.scanFrom().compareTo(lease.maxPid().get()) > 0;
            if (queue.hasMoreStored() && !beyondFilter) {
                more.add(new Decision.MoreTasks(queue.key));
            }
        }

        QueueChange toChange() {
            long newly = changes.size() - expiredTaken;
            return new QueueChange(
                    queue.key,
                    queue.generation,
                    false,
                    new Sizes(queue.available - newly, queue.leased + newly, queue.delayed),
                    queue.maxFifo,
                    changes);
        }
    }
}
