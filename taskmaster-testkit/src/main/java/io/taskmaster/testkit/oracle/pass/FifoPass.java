package io.taskmaster.testkit.oracle.pass;

import com.google.protobuf.ByteString;
import io.taskmaster.testkit.oracle.model.Interval;
import io.taskmaster.testkit.oracle.model.Operations;
import io.taskmaster.testkit.oracle.model.Projection;
import io.taskmaster.testkit.oracle.model.QueueHistory;
import io.taskmaster.testkit.oracle.model.QueueId;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Updating;
import io.taskmaster.testkit.oracle.model.Rendering;
import io.taskmaster.testkit.oracle.model.Span;
import io.taskmaster.testkit.oracle.search.Certainties;
import io.taskmaster.testkit.oracle.search.Sweep;
import io.taskmaster.testkit.oracle.verdict.Finding;
import io.taskmaster.testkit.oracle.verdict.Findings;
import io.taskmaster.testkit.oracle.verdict.Promise;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.UpdateReply;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A pass over assigned PIDs: a PID that the server assigns is larger than every PID that it assigned before in the same
 * queue and whose task is still there. Once the queue was empty, PIDs may start over. Single-threaded.
 */
public final class FifoPass {

    /** An enqueue with the PID that the server assigned. */
    private record Assigned(Span span, ByteString pid) {}

    private final Certainties certainties;
    private final Findings findings;

    public FifoPass(Certainties certainties, Findings findings) {
        this.certainties = certainties;
        this.findings = findings;
    }

    public void check(Operations operations, Projection projection) {
        Map<QueueId, List<Assigned>> byQueue = new HashMap<>();
        for (Updating update : operations.updates) {
            UpdateReply reply = update.reply();
            if (reply != null && reply.getSuccess()) {
                collect(update, reply, byQueue);
            }
        }
        byQueue.forEach((id, assigned) -> check(projection.queue(id), assigned));
    }

    private void collect(Updating update, UpdateReply reply, Map<QueueId, List<Assigned>> byQueue) {
        Map<QueueId, ByteString> last = new HashMap<>();
        for (int i = 0; i < reply.getAssignedPidCount(); i++) {
            Enqueue enqueue = update.request().getEnqueue(i);
            if (enqueue.hasPid()) {
                continue;
            }
            QueueId queue = new QueueId(update.request().getGroup(), enqueue.getQueue());
            ByteString pid = reply.getAssignedPid(i);
            ByteString before = last.put(queue, pid);
            if (before != null && QueueHistory.PID_ORDER.compare(before, pid) >= 0) {
                findings.add(
                        Promise.FIFO,
                        update.span().call(),
                        "in %s one update was assigned %s, and then %s"
                                .formatted(queue, Rendering.bytes(before), Rendering.bytes(pid)));
            }
            byQueue.computeIfAbsent(queue, any -> new ArrayList<>()).add(new Assigned(update.span(), pid));
        }
    }

    private void check(QueueHistory queue, List<Assigned> all) {
        Map<ByteString, Assigned> byPid = new HashMap<>();
        all.forEach(assigned -> byPid.put(assigned.pid, assigned));
        Sweep sweep = new Sweep(certainties.of(queue).present());
        all.sort(Comparator.comparingLong(assigned -> assigned.span.from()));
        for (Assigned later : all) {
            for (Interval interval :
                    sweep.at(later.span.from()).tailMap(later.pid, false).values()) {
                Assigned earlier = byPid.get(interval.key().key().pid());
                if (earlier != null && interval.covers(later.span) && earlier.span.isBefore(later.span)) {
                    findings.add(new Finding(
                            Promise.FIFO,
                            "%s was assigned %s, although %s existed already"
                                    .formatted(queue.id(), Rendering.bytes(later.pid), Rendering.bytes(earlier.pid)),
                            List.of(earlier.span.call(), later.span.call())));
                    return;
                }
            }
        }
    }
}
