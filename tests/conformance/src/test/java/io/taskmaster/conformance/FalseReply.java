package io.taskmaster.conformance;

import com.google.protobuf.Message;
import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.history.RecordedCall;
import io.taskmaster.testkit.history.RecordedOutcome;
import io.taskmaster.testkit.history.RecordedOutcome.Failed;
import io.taskmaster.testkit.history.RecordedOutcome.Replied;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.Status;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A change of one reply in a history to a reply that no server that keeps its promises can have given. Immutable. */
enum FalseReply {
    /** A dequeue that was applied is reported as refused for a lost lease, although no other worker leased the task. */
    DEQUEUE_REFUSED {
        @Override
        Optional<History> tamper(History history, RecordedCall call) {
            if (call.request() instanceof UpdateRequest update
                    && call.recordedOutcome() instanceof Replied(UpdateReply reply)
                    && reply.getSuccess()
                    && update.getDequeueCount() == 1
                    && update.getDequeue(0).getLeaseId() != 0
                    && elements(update) == 1
                    && update.getRequestId().isEmpty()) {
                UpdateReply refused = UpdateReply.newBuilder()
                        .addDequeueStatus(Status.LEASE_LOST)
                        .build();
                return Optional.of(with(history, call, new Replied(refused)));
            }
            return Optional.empty();
        }
    },
    /** A lease that returned nothing is given the task and the lease of another worker. */
    LEASE_GRANTED_TWICE {
        @Override
        Optional<History> tamper(History history, RecordedCall call) {
            if (call.recordedOutcome() instanceof Replied(LeaseReply granted) && granted.getTasksCount() == 1) {
                return history.calls().stream()
                        .filter(other -> other.invokedMicros() > call.completedMicros()
                                && foundNothing(other, granted.getTasks(0)))
                        .findFirst()
                        .map(other -> with(history, other, new Replied(granted)));
            }
            return Optional.empty();
        }
    },
    /** The enqueue of a task that was leased later is reported as refused. */
    ENQUEUE_REFUSED {
        @Override
        Optional<History> tamper(History history, RecordedCall call) {
            if (call.request() instanceof UpdateRequest update
                    && call.recordedOutcome() instanceof Replied(UpdateReply reply)
                    && reply.getEnqueueStatusList().equals(List.of(Status.OK))
                    && elements(update) == 1
                    && update.getRequestId().isEmpty()
                    && history.calls().stream().anyMatch(other -> isNewIn(other, update, reply))) {
                return Optional.of(with(history, call, new Failed("UNAVAILABLE", "PARTITION_OPENING")));
            }
            return Optional.empty();
        }
    };

    /** Returns the history with another reply to a call; empty if that reply could be true. */
    abstract Optional<History> tamper(History history, RecordedCall call);

    /** Returns changed histories, each with a change in one place. */
    Stream<History> of(History history) {
        return history.calls().stream().flatMap(call -> tamper(history, call).stream());
    }

    private static int elements(UpdateRequest update) {
        return update.getEnqueueCount() + update.getDequeueCount() + update.getRenewCount() + update.getReleaseCount();
    }

    private static boolean foundNothing(RecordedCall call, LeasedTask task) {
        return call.request() instanceof LeaseRequest lease
                && call.recordedOutcome() instanceof Replied(LeaseReply reply)
                && reply.getTasksCount() == 0
                && !lease.hasMaxPid()
                && lease.getQueues().getGroup().equals(task.getGroup())
                && lease.getQueues().getNamesList().contains(task.getQueue());
    }

    /** Returns whether a call leased the task of an update, for the first time. */
    private static boolean isNewIn(RecordedCall call, UpdateRequest update, UpdateReply reply) {
        return call.recordedOutcome() instanceof Replied(LeaseReply leased)
                && leased.getTasksList().stream()
                        .anyMatch(task -> task.getAttempt() == 1
                                && task.getGroup().equals(update.getGroup())
                                && task.getQueue().equals(update.getEnqueue(0).getQueue())
                                && task.getPid().equals(reply.getAssignedPid(0)));
    }

    private static History with(History history, RecordedCall call, RecordedOutcome recordedOutcome) {
        List<RecordedCall> calls = new ArrayList<>(history.calls());
        Message request = call.request();
        calls.set(
                calls.indexOf(call),
                new RecordedCall(
                        call.number(),
                        call.client(),
                        call.invokedMicros(),
                        call.completedMicros(),
                        request,
                        recordedOutcome));
        return new History(calls);
    }
}
