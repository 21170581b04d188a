package io.taskmaster.testkit.oracle.pass;

import com.google.protobuf.ByteString;
import io.taskmaster.testkit.oracle.model.Interval;
import io.taskmaster.testkit.oracle.model.OptionsHistory;
import io.taskmaster.testkit.oracle.model.Projection;
import io.taskmaster.testkit.oracle.model.QueueHistory;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Leasing;
import io.taskmaster.testkit.oracle.search.Certainties;
import io.taskmaster.testkit.oracle.search.Sweep;
import io.taskmaster.testkit.oracle.verdict.Findings;
import io.taskmaster.testkit.oracle.verdict.Promise;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.QueueOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pass over pauses and caps: no lease takes a task from a queue that was certainly paused, nor exceeds a cap that
 * certainly held. Single-threaded.
 */
public final class CapPass {

    /** The size above which a lease is granted in several steps, so that no single instant can be checked. */
    private static final int GRANTED_AT_ONCE = 1_000;

    private final Certainties certainties;
    private final Findings findings;

    public CapPass(Certainties certainties, Findings findings) {
        this.certainties = certainties;
        this.findings = findings;
    }

    public void check(Projection projection) {
        for (QueueHistory queue : projection.queues.values()) {
            boolean capped = !queue.configurations.isEmpty();
            for (Leasing lease : queue.leases) {
                capped |= lease.request().getMaxLeasedPerQueue() > 0;
            }
            if (capped) {
                check(queue);
            }
        }
    }

    private void check(QueueHistory queue) {
        OptionsHistory optionsHistory = new OptionsHistory(queue);
        Sweep sweep = new Sweep(certainties.of(queue).leased());
        List<Leasing> leases = new ArrayList<>(queue.leases);
        leases.sort(Comparator.comparingLong(lease -> lease.span().from()));
        for (Leasing lease : leases) {
            Set<ByteString> leasedPids = leasedPids(queue, lease.reply());
            Map<ByteString, Interval> leased = sweep.at(lease.span().from());
            if (leasedPids.isEmpty() || leasedPids.size() > GRANTED_AT_ONCE) {
                continue;
            }
            List<QueueOptions> possible = optionsHistory.possible(lease.span());
            if (possible.stream().allMatch(QueueOptions::getPaused)) {
                findings.add(
                        Promise.PAUSES_AND_CAPS,
                        lease.span().call(),
                        "leased from %s, which was paused".formatted(queue.id()));
                continue;
            }
            long cap = cap(lease, possible);
            if (cap < Long.MAX_VALUE) {
                check(queue, lease, leasedPids, leased, cap);
            }
        }
    }

    private void check(
            QueueHistory queue, Leasing lease, Set<ByteString> leasedPids, Map<ByteString, Interval> leased, long cap) {
        long others = 0;
        for (Interval interval : leased.values()) {
            if (interval.covers(lease.span())
                    && !leasedPids.contains(interval.key().key().pid())) {
                others++;
            }
        }
        if (leasedPids.size() + others > cap) {
            findings.add(
                    Promise.PAUSES_AND_CAPS,
                    lease.span().call(),
                    "leased %d tasks of %s, of which %d were leased already (cap: %d)"
                            .formatted(leasedPids.size(), queue.id(), others, cap));
        }
    }

    private static long cap(Leasing lease, List<QueueOptions> possible) {
        // Any of the possible options may have held, so the most lenient cap counts.
        long lasting = 0;
        for (QueueOptions options : possible) {
            if (!options.getPaused()) {
                lasting = Math.max(lasting, options.getMaxLeased() == 0 ? Long.MAX_VALUE : options.getMaxLeased());
            }
        }
        long requestedCap = lease.request().getMaxLeasedPerQueue();
        return Math.min(lasting, requestedCap == 0 ? Long.MAX_VALUE : requestedCap);
    }

    private static Set<ByteString> leasedPids(QueueHistory queue, @Nullable LeaseReply reply) {
        Set<ByteString> leasedPids = new HashSet<>();
        if (reply == null) {
            return leasedPids;
        }
        for (LeasedTask task : reply.getTasksList()) {
            if (task.getQueue().equals(queue.id().name())
                    && task.getGroup().equals(queue.id().group())) {
                leasedPids.add(task.getPid());
            }
        }
        return leasedPids;
    }
}
