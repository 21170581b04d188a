package io.taskmaster.bench.workload;

import com.google.protobuf.ByteString;
import io.taskmaster.v1.Status;
import io.taskmaster.v1.UpdateReply;
import java.util.List;
import java.util.Optional;

/** Checks of replies: a benchmark that does not check the replies measures how fast a server can be wrong. */
public final class Answers {

    private Answers() {}

    /**
     * Returns the fault of a reply to an update of fresh enqueues and valid dequeues; empty if all of them were
     * applied.
     */
    public static Optional<String> fault(UpdateReply reply, int enqueues, int dequeues) {
        if (!reply.getSuccess()) {
            return Optional.of("check: update rejected, " + firstNotOk(reply));
        }
        if (reply.getEnqueueStatusCount() != enqueues
                || reply.getDequeueStatusCount() != dequeues
                || reply.getAssignedPidCount() != enqueues) {
            return Optional.of("check: statuses or PIDs missing in the reply");
        }
        return allOk(reply.getEnqueueStatusList()) && allOk(reply.getDequeueStatusList())
                ? Optional.empty()
                : Optional.of("check: status " + firstNotOk(reply));
    }

    /** Returns whether the first of the PIDs is above the floor and each further one above its predecessor. */
    static boolean ascends(ByteString floor, List<ByteString> pids) {
        ByteString last = floor;
        for (ByteString pid : pids) {
            if (ByteString.unsignedLexicographicalComparator().compare(last, pid) >= 0) {
                return false;
            }
            last = pid;
        }
        return true;
    }

    private static boolean allOk(List<Status> statuses) {
        for (Status status : statuses) {
            if (status != Status.OK) {
                return false;
            }
        }
        return true;
    }

    private static Status firstNotOk(UpdateReply reply) {
        return reply.getEnqueueStatusList().stream()
                .filter(status -> status != Status.OK)
                .findFirst()
                .or(() -> reply.getDequeueStatusList().stream()
                        .filter(status -> status != Status.OK)
                        .findFirst())
                .orElse(Status.OK);
    }
}
