package io.taskmaster.testkit.oracle;

import com.google.protobuf.ByteString;
import io.taskmaster.testkit.oracle.model.Micros;
import io.taskmaster.testkit.oracle.model.QueueHistory;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.IfExists;
import io.taskmaster.v1.Release;
import io.taskmaster.v1.Renew;
import io.taskmaster.v1.Status;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An update of the {@link ReferenceService}, applied to a copy of its queues. Single-threaded. */
final class ReferenceUpdate {

    private final ReferenceService service;
    private final UpdateRequest request;
    private final long now;
    private final NavigableMap<ByteString, NavigableMap<ByteString, ReferenceTask>> draft;
    private boolean half;

    ReferenceUpdate(ReferenceService service, UpdateRequest request, long now) {
        this.service = service;
        this.request = request;
        this.now = now;
        this.draft = copy(service.queues);
    }

    UpdateReply run(boolean unknown) {
        UpdateReply first = service.replies.get(request.getRequestId());
        if (first != null && !service.strikes(Bug.FORGET_REQUEST_IDS)) {
            return first;
        }
        UpdateReply.Builder reply = UpdateReply.newBuilder();
        request.getRenewList().forEach(renew -> reply.addRenewStatus(renew(renew)));
        NavigableMap<ByteString, NavigableMap<ByteString, ReferenceTask>> renewed = copy(draft);
        List<Status> releases =
                request.getReleaseList().stream().map(this::release).toList();
        List<Status> dequeues =
                request.getDequeueList().stream().map(this::dequeue).toList();
        half = unknown && service.strikes(Bug.APPLY_HALF_OF_UNKNOWN_UPDATES);
        List<Status> enqueues = new ArrayList<>();
        List<ByteString> assigned = new ArrayList<>();
        for (Enqueue enqueue : request.getEnqueueList()) {
            ByteString pid = enqueue.hasPid() ? enqueue.getPid() : nextPid();
            assigned.add(pid);
            enqueues.add(enqueue(enqueue, pid));
        }
        boolean refused = List.of(releases, dequeues, enqueues).stream()
                .flatMap(List::stream)
                .anyMatch(ReferenceUpdate::refuses);
        become(refused ? renewed : draft);
        reply.setSuccess(!refused)
                .addAllReleaseStatus(statuses(releases, refused))
                .addAllDequeueStatus(statuses(dequeues, refused))
                .addAllEnqueueStatus(statuses(enqueues, refused));
        if (!refused) {
            reply.addAllAssignedPid(assigned);
            if (!request.getRequestId().isEmpty()) {
                service.replies.put(request.getRequestId(), reply.build());
            }
        }
        return reply.build();
    }

    private ByteString nextPid() {
        long id = service.nextId();
        long shown = service.strikes(Bug.ASSIGN_PIDS_BACKWARDS) ? 5_000_000 - id : 1_000_000 + id;
        return ByteString.copyFrom(new byte[] {(byte) 0x80}).concat(ByteString.copyFromUtf8("" + shown));
    }

    private void become(NavigableMap<ByteString, NavigableMap<ByteString, ReferenceTask>> after) {
        service.queues.clear();
        after.forEach((queue, tasks) -> {
            if (!tasks.isEmpty()) {
                service.queues.put(queue, tasks);
            }
        });
    }

    private static boolean refuses(Status status) {
        return status != Status.OK && status != Status.COLLAPSED;
    }

    private static List<Status> statuses(List<Status> statuses, boolean refused) {
        return statuses.stream()
                .map(status -> refused && !refuses(status) ? Status.ABORTED : status)
                .toList();
    }

    private @Nullable ReferenceTask find(ByteString queue, ByteString pid) {
        return tasks(queue).get(pid);
    }

    private NavigableMap<ByteString, ReferenceTask> tasks(ByteString queue) {
        return draft.computeIfAbsent(queue, any -> new TreeMap<>(QueueHistory.PID_ORDER));
    }

    private Status renew(Renew renew) {
        ReferenceTask task = find(renew.getQueue(), renew.getPid());
        if (task == null) {
            return Status.NOT_FOUND;
        }
        if (task.leaseId != renew.getLeaseId()) {
            return Status.LEASE_LOST;
        }
        if (!task.isLeased(now)) {
            return Status.LEASE_EXPIRED;
        }
        task.expires = now + Micros.of(renew.getLease()) / 1_000;
        return Status.OK;
    }

    private Status release(Release release) {
        ReferenceTask task = find(release.getQueue(), release.getPid());
        if (task == null) {
            return Status.NOT_FOUND;
        }
        if (release.getLeaseId() == 0 ? task.leaseId == 0 : lost(task, release.getLeaseId())) {
            return Status.LEASE_LOST;
        }
        task.leaseId = 0;
        task.attempt = Math.max(0, task.attempt - (release.getUntried() ? 1 : 0));
        task.notBefore = release.hasNotBefore() ? Micros.of(release.getNotBefore()) / 1_000 : 0;
        return Status.OK;
    }

    private boolean lost(ReferenceTask task, long leaseId) {
        return task.leaseId != leaseId
                ? !service.strikes(Bug.ACCEPT_OLD_LEASES)
                : service.strikes(Bug.REFUSE_VALID_LEASES);
    }

    private Status dequeue(Dequeue dequeue) {
        ReferenceTask task = find(dequeue.getQueue(), dequeue.getPid());
        if (task == null) {
            return Status.NOT_FOUND;
        }
        if (dequeue.getLeaseId() != 0 && lost(task, dequeue.getLeaseId())) {
            return Status.LEASE_LOST;
        }
        if (service.strikes(Bug.FORGET_A_DEQUEUE)) {
            return Status.OK;
        }
        if (task.next == null) {
            tasks(dequeue.getQueue()).remove(dequeue.getPid());
        } else {
            tasks(dequeue.getQueue()).put(dequeue.getPid(), new ReferenceTask(task.next));
        }
        return Status.OK;
    }

    private Status enqueue(Enqueue enqueue, ByteString pid) {
        ReferenceTask existing = find(enqueue.getQueue(), pid);
        if (existing != null) {
            if (enqueue.getIfExists() == IfExists.COLLAPSE) {
                return Status.COLLAPSED;
            }
            if (enqueue.getIfExists() == IfExists.FAIL) {
                return Status.ALREADY_EXISTS;
            }
            if (existing.isLeased(now)) {
                if (enqueue.getIfExists() == IfExists.REPLACE) {
                    return Status.LEASED;
                }
                existing.next = enqueue;
                return Status.OK;
            }
        }
        if (!half && !service.strikes(Bug.FORGET_AN_ENQUEUE)) {
            tasks(enqueue.getQueue()).put(pid, new ReferenceTask(enqueue));
        }
        return Status.OK;
    }

    private static NavigableMap<ByteString, NavigableMap<ByteString, ReferenceTask>> copy(
            NavigableMap<ByteString, NavigableMap<ByteString, ReferenceTask>> queues) {
        NavigableMap<ByteString, NavigableMap<ByteString, ReferenceTask>> copy = new TreeMap<>(QueueHistory.PID_ORDER);
        queues.forEach((queue, tasks) -> {
            NavigableMap<ByteString, ReferenceTask> copied = new TreeMap<>(QueueHistory.PID_ORDER);
            tasks.forEach((pid, task) -> copied.put(pid, task.copy()));
            copy.put(queue, copied);
        });
        return copy;
    }
}
