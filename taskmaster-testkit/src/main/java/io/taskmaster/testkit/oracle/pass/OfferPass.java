package io.taskmaster.testkit.oracle.pass;

import com.google.protobuf.ByteString;
import io.taskmaster.testkit.oracle.model.Interval;
import io.taskmaster.testkit.oracle.model.OptionsHistory;
import io.taskmaster.testkit.oracle.model.Projection;
import io.taskmaster.testkit.oracle.model.QueueHistory;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Leasing;
import io.taskmaster.testkit.oracle.model.Rendering;
import io.taskmaster.testkit.oracle.search.Certainties;
import io.taskmaster.testkit.oracle.search.Sweep;
import io.taskmaster.testkit.oracle.verdict.Findings;
import io.taskmaster.testkit.oracle.verdict.Promise;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeasedTask;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;

/**
 * A pass over what leases return: of each queue a lease takes the tasks with the smallest PIDs, and it comes back empty
 * only if nothing is available.
 *
 * <p>A task that was certainly available during the whole call must not be passed over. A lease may take fewer tasks
 * than are available. Single-threaded.
 */
public final class OfferPass {

    private final Certainties certainties;
    private final Findings findings;

    public OfferPass(Certainties certainties, Findings findings) {
        this.certainties = certainties;
        this.findings = findings;
    }

    public void check(Projection projection) {
        for (QueueHistory queue : projection.queues.values()) {
            check(queue);
        }
    }

    private void check(QueueHistory queue) {
        OptionsHistory optionsHistory = new OptionsHistory(queue);
        Sweep sweep = new Sweep(certainties.of(queue).available());
        List<Leasing> leases = new ArrayList<>(queue.leases);
        leases.sort(Comparator.comparingLong(lease -> lease.span().from()));
        for (Leasing lease : leases) {
            LeaseReply reply = lease.reply();
            NavigableMap<ByteString, Interval> available = sweep.at(lease.span().from());
            if (reply == null || available.isEmpty()) {
                continue;
            }
            if (reply.getTasksCount() == 0) {
                // A cap of the request, or options of the queue, may also have left the reply empty.
                if (lease.request().getMaxLeasedPerQueue() == 0 && optionsHistory.certainlyNone(lease.span())) {
                    empty(lease, available);
                }
            } else {
                order(queue, lease, reply, available);
            }
        }
    }

    private void empty(Leasing lease, NavigableMap<ByteString, Interval> available) {
        for (Interval interval : available.values()) {
            ByteString pid = interval.key().key().pid();
            // The tasks are sorted by PID, so beyond the limit of the request none is asked for.
            if (lease.request().hasMaxPid()
                    && QueueHistory.PID_ORDER.compare(pid, lease.request().getMaxPid()) > 0) {
                return;
            }
            if (interval.covers(lease.span())) {
                findings.add(
                        Promise.AVAILABLE_IS_OFFERED,
                        lease.span().call(),
                        "the lease returned no task, although %s was available all the time"
                                .formatted(interval.key().key()));
                return;
            }
        }
    }

    private void order(
            QueueHistory queue, Leasing lease, LeaseReply reply, NavigableMap<ByteString, Interval> available) {
        Set<ByteString> leasedPids = new HashSet<>();
        ByteString last = null;
        for (LeasedTask task : reply.getTasksList()) {
            if (task.getQueue().equals(queue.id().name())
                    && task.getGroup().equals(queue.id().group())) {
                leasedPids.add(task.getPid());
                if (last == null || QueueHistory.PID_ORDER.compare(last, task.getPid()) < 0) {
                    last = task.getPid();
                }
            }
        }
        if (last == null) {
            return;
        }
        // A lease takes the lowest PIDs first, so every available task below the last one was passed over.
        for (Interval interval : available.headMap(last, false).values()) {
            if (interval.covers(lease.span())
                    && !leasedPids.contains(interval.key().key().pid())) {
                findings.add(
                        Promise.PID_ORDER,
                        lease.span().call(),
                        "the lease took %s and skipped %s, which was available all the time"
                                .formatted(Rendering.bytes(last), interval.key().key()));
                return;
            }
        }
    }
}
