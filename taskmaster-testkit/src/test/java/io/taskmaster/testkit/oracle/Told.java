package io.taskmaster.testkit.oracle;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.history.RecordedCall;
import io.taskmaster.testkit.history.RecordedOutcome;
import io.taskmaster.testkit.oracle.verdict.OracleSettings;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.PeekedTask;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.Status;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A builder of handwritten histories about a single queue, "q". Times are milliseconds, leases last a second.
 * Single-threaded.
 */
final class Told {

    static final OracleSettings SETTINGS =
            OracleSettings.DEFAULT.withClockSlack(Duration.ZERO).withActivationLag(Duration.ZERO);

    private final List<RecordedCall> calls = new ArrayList<>();

    Told call(long from, long until, Message request, Message reply) {
        calls.add(new RecordedCall(1, "c", from * 1_000, until * 1_000, request, new RecordedOutcome.Replied(reply)));
        return this;
    }

    Told unknown(long from, Message request) {
        calls.add(new RecordedCall(1, "c", from * 1_000, RecordedCall.NEVER, request, RecordedOutcome.IN_FLIGHT));
        return this;
    }

    Told enqueued(long at, String pid) {
        return call(at, at + 1, update(enqueue(pid)), success(1, 0, pid));
    }

    Told assigned(long from, long until, String data, String pid) {
        Enqueue enqueue =
                Enqueue.newBuilder().setQueue(bytes("q")).setData(bytes(data)).build();
        return call(from, until, update(enqueue), success(1, 0, pid));
    }

    Told leased(long at, long id, int attempt, String... pids) {
        LeaseReply.Builder reply = LeaseReply.newBuilder();
        for (String pid : pids) {
            reply.addTasks(LeasedTask.newBuilder()
                    .setQueue(bytes("q"))
                    .setPid(bytes(pid))
                    .setData(bytes("of " + pid))
                    .setLeaseId(id)
                    .setAttempt(attempt)
                    .setLeaseExpires(ReferenceService.timestamp(at + 1_000)));
        }
        return call(at, at + 1, lease(), reply.build());
    }

    Told dequeued(long at, String pid, long id, Status status) {
        UpdateReply reply = UpdateReply.newBuilder()
                .setSuccess(status == Status.OK)
                .addDequeueStatus(status)
                .build();
        return call(at, at + 1, update(dequeue(pid, id)), reply);
    }

    Told peeked(long from, long until, String... pids) {
        PeekReply.Builder reply = PeekReply.newBuilder();
        for (String pid : pids) {
            reply.addTasks(PeekedTask.newBuilder().setPid(bytes(pid)).setData(bytes("of " + pid)));
        }
        return call(
                from,
                until,
                PeekRequest.newBuilder().setQueue(bytes("q")).setWithData(true).build(),
                reply.build());
    }

    OracleVerdict judged() {
        return Oracle.judge(History.of(calls), SETTINGS);
    }

    OracleVerdict judgedDrained() {
        return Oracle.judge(History.of(calls), SETTINGS.drained());
    }

    static LeaseRequest lease() {
        return LeaseRequest.newBuilder()
                .setQueues(QueueSelector.newBuilder().addNames(bytes("q")))
                .setMaxTasks(10)
                .setLease(com.google.protobuf.Duration.newBuilder().setSeconds(1))
                .build();
    }

    static Enqueue enqueue(String pid) {
        return Enqueue.newBuilder()
                .setQueue(bytes("q"))
                .setPid(bytes(pid))
                .setData(bytes("of " + pid))
                .build();
    }

    static Dequeue dequeue(String pid, long id) {
        return Dequeue.newBuilder()
                .setQueue(bytes("q"))
                .setPid(bytes(pid))
                .setLeaseId(id)
                .build();
    }

    static UpdateRequest update(Enqueue... enqueues) {
        return UpdateRequest.newBuilder().addAllEnqueue(List.of(enqueues)).build();
    }

    static UpdateRequest update(Dequeue... dequeues) {
        return UpdateRequest.newBuilder().addAllDequeue(List.of(dequeues)).build();
    }

    static UpdateReply success(int enqueues, int dequeues, String... pids) {
        UpdateReply.Builder reply = UpdateReply.newBuilder().setSuccess(true);
        for (int i = 0; i < enqueues; i++) {
            reply.addEnqueueStatus(Status.OK).addAssignedPid(bytes(pids[i]));
        }
        for (int i = 0; i < dequeues; i++) {
            reply.addDequeueStatus(Status.OK);
        }
        return reply.build();
    }

    static ByteString bytes(String text) {
        return ByteString.copyFromUtf8(text);
    }
}
