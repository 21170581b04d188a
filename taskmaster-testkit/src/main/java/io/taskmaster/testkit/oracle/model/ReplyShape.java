package io.taskmaster.testkit.oracle.model;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.ConfigureReply;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.Status;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A check of the form of a reply: whether it can be one to its request, in any state of the queues. Stateless. */
final class ReplyShape {

    private ReplyShape() {}

    static boolean fits(Message request, Message reply) {
        return switch (request) {
            case UpdateRequest update -> reply instanceof UpdateReply updated && fits(update, updated);
            case LeaseRequest lease -> reply instanceof LeaseReply leased && fits(lease, leased);
            case BatchRequest batch -> reply instanceof BatchReply done && fits(batch, done);
            case PeekRequest peek -> reply instanceof PeekReply peeked && fits(peek, peeked);
            case ListRequest list -> reply instanceof ListReply;
            case DescribeRequest describe -> reply instanceof DescribeReply;
            case DeleteRequest delete -> reply instanceof DeleteReply;
            case ConfigureRequest configure -> reply instanceof ConfigureReply;
            default -> false;
        };
    }

    private static boolean fits(UpdateRequest request, UpdateReply reply) {
        boolean counts = reply.getEnqueueStatusCount() == request.getEnqueueCount()
                && reply.getDequeueStatusCount() == request.getDequeueCount()
                && reply.getRenewStatusCount() == request.getRenewCount()
                && reply.getReleaseStatusCount() == request.getReleaseCount()
                && reply.getAssignedPidCount() == (reply.getSuccess() ? request.getEnqueueCount() : 0);
        if (!counts) {
            return false;
        }
        boolean refused = refuses(reply.getEnqueueStatusList())
                || refuses(reply.getDequeueStatusList())
                || refuses(reply.getReleaseStatusList());
        boolean aborted = reply.getEnqueueStatusList().contains(Status.ABORTED)
                || reply.getDequeueStatusList().contains(Status.ABORTED)
                || reply.getReleaseStatusList().contains(Status.ABORTED);
        if (reply.getSuccess() ? refused || aborted : !refused) {
            return false;
        }
        for (int i = 0; i < reply.getAssignedPidCount(); i++) {
            if (request.getEnqueue(i).hasPid()
                    && !request.getEnqueue(i).getPid().equals(reply.getAssignedPid(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean refuses(List<Status> statuses) {
        for (Status status : statuses) {
            if (status != Status.OK && status != Status.COLLAPSED && status != Status.ABORTED) {
                return true;
            }
        }
        return false;
    }

    private static boolean fits(LeaseRequest request, LeaseReply reply) {
        if (reply.getTasksCount() > Math.max(1, request.getMaxTasks())) {
            return false;
        }
        OperationSelection operationSelection = OperationSelection.of(request.getQueues());
        Set<TaskKey> keys = new HashSet<>();
        for (LeasedTask task : reply.getTasksList()) {
            QueueId queue = new QueueId(task.getGroup(), task.getQueue());
            if (!operationSelection.chooses(queue)
                    || !keys.add(new TaskKey(queue, task.getPid()))
                    || task.getLeaseId() == 0
                    || (request.hasMaxPid() && compare(task.getPid(), request.getMaxPid()) > 0)) {
                return false;
            }
        }
        return true;
    }

    private static boolean fits(BatchRequest request, BatchReply reply) {
        return request.getOperationsCount() == reply.getResultsCount();
    }

    private static boolean fits(PeekRequest request, PeekReply reply) {
        ByteString from = request.getFromPid();
        for (int i = 0; i < reply.getTasksCount(); i++) {
            int order = compare(from, reply.getTasks(i).getPid());
            if (i == 0 ? order > 0 : order >= 0) {
                return false;
            }
            from = reply.getTasks(i).getPid();
        }
        return reply.getTasksCount() <= (request.getMaxTasks() == 0 ? 100 : request.getMaxTasks());
    }

    private static int compare(ByteString one, ByteString two) {
        return ByteString.unsignedLexicographicalComparator().compare(one, two);
    }
}
