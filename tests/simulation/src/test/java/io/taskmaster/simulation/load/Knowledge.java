package io.taskmaster.simulation.load;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.PeekedTask;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Recent knowledge of the clients: leases, PIDs, the positions after a page, and the updates that may be sent again.
 * Single-threaded: owned by the simulation.
 */
final class Knowledge {

    private static final int REMEMBERED = 12;

    /**
     * A PID that was seen in a group. In another group it might equal one that is yet to be assigned, and a client
     * whose enqueue is refused for that could not tell.
     */
    private record AssignedPid(ByteString group, ByteString pid) {}

    private final List<LeasedTask> leases = new ArrayList<>();
    private final List<AssignedPid> assigned = new ArrayList<>();
    private final List<UpdateRequest> named = new ArrayList<>();
    private Optional<ListRequest> nextPage = Optional.empty();
    private Optional<PeekRequest> nextPeek = Optional.empty();

    /** Records a request that is being sent. */
    UpdateRequest sent(UpdateRequest update) {
        if (!update.getRequestId().isEmpty()) {
            remember(named, update);
        }
        return update;
    }

    /** Records a reply to a client. */
    void observe(Message request, Message reply) {
        switch (reply) {
            case LeaseReply leased -> leased.getTasksList().forEach(task -> remember(leases, task));
            case UpdateReply updated ->
                updated.getAssignedPidList().forEach(pid -> addPid(((UpdateRequest) request).getGroup(), pid));
            case BatchReply batch -> {
                for (int i = 0; i < batch.getResultsCount(); i++) {
                    BatchRequest.Operation operation = ((BatchRequest) request).getOperations(i);
                    observe(operation.getLease(), batch.getResults(i).getLease());
                    observe(operation.getUpdate(), batch.getResults(i).getUpdate());
                }
            }
            case PeekReply peeked -> {
                ByteString group = ((PeekRequest) request).getGroup();
                peeked.getTasksList().stream().map(PeekedTask::getPid).forEach(pid -> addPid(group, pid));
                nextPeek = peeked.getNextPid().isEmpty()
                        ? Optional.empty()
                        : Optional.of(((PeekRequest) request)
                                .toBuilder().setFromPid(peeked.getNextPid()).build());
            }
            case ListReply listed ->
                nextPage = listed.getNextPageToken().isEmpty()
                        ? Optional.empty()
                        : Optional.of(((ListRequest) request)
                                .toBuilder()
                                        .setPageToken(listed.getNextPageToken())
                                        .build());
            default -> {}
        }
    }

    private void addPid(ByteString group, ByteString pid) {
        if (pid.size() > 1) {
            remember(assigned, new AssignedPid(group, pid));
        }
    }

    private static <T> void remember(List<T> list, T one) {
        list.add(one);
        if (list.size() > REMEMBERED) {
            list.removeFirst();
        }
    }

    Optional<ListRequest> nextPage() {
        return nextPage;
    }

    Optional<PeekRequest> nextPeek() {
        return nextPeek;
    }

    /** Returns, one time in eight, an update that was sent with a request id. */
    Optional<UpdateRequest> anotherTime(RandomGenerator random) {
        return now(random, 8, named, random.nextInt(REMEMBERED));
    }

    /** Returns a lease that was granted, in half of the cases the latest. */
    Optional<LeasedTask> lease(RandomGenerator random) {
        return now(random, 1, leases, random.nextBoolean() ? leases.size() - 1 : random.nextInt(REMEMBERED));
    }

    /** Returns, one time in four, a PID that was seen, if it is of this group. */
    Optional<ByteString> assignedPid(RandomGenerator random, ByteString group) {
        return now(random, 4, assigned, random.nextInt(REMEMBERED))
                .filter(known -> known.group.equals(group))
                .map(AssignedPid::pid);
    }

    private static <T> Optional<T> now(RandomGenerator random, int oneIn, List<T> list, int index) {
        return list.isEmpty() || random.nextInt(oneIn) != 0
                ? Optional.empty()
                : Optional.of(list.get(index % list.size()));
    }
}
