package io.taskmaster.proxy.rpc.access;

import com.google.protobuf.ByteString;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.UpdateRequest;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The changes that an update, or a batch of updates, makes to tasks, as far as they go to the audit log: all of them,
 * or only those that name no lease. A change without a lease takes a task from its owner: it is administration, or a
 * program that cancels tasks, since workers name their leases. Not thread-safe.
 */
final class AuditedChanges {

    /** The names of queues that are kept, and of groups; one more of each is kept to show that there are others. */
    static final int MAX_NAMES = 20;

    private static final long NO_LEASE = 0;

    private final boolean forcedOnly;
    private final Set<ByteString> groups = new LinkedHashSet<>();
    private final Set<ByteString> queues = new LinkedHashSet<>();
    private long enqueues;
    private long releases;
    private long dequeues;

    private AuditedChanges(boolean forcedOnly) {
        this.forcedOnly = forcedOnly;
    }

    /** Collects the releases and dequeues in a request that name no lease; empty if there are none. */
    static Optional<AuditedChanges> forced(Object request) {
        return new AuditedChanges(true).addAll(request);
    }

    /** Collects the enqueues, releases and dequeues in a request; empty if there are none. */
    static Optional<AuditedChanges> all(Object request) {
        return new AuditedChanges(false).addAll(request);
    }

    private Optional<AuditedChanges> addAll(Object request) {
        if (request instanceof UpdateRequest update) {
            add(update);
        } else if (request instanceof BatchRequest batch) {
            for (int i = 0; i < batch.getOperationsCount(); i++) {
                add(batch.getOperations(i).getUpdate());
            }
        }
        return enqueues + releases + dequeues == 0 ? Optional.empty() : Optional.of(this);
    }

    private void add(UpdateRequest update) {
        for (int i = 0; i < update.getReleaseCount(); i++) {
            if (counts(update.getRelease(i).getLeaseId())) {
                releases++;
                keep(update.getGroup(), update.getRelease(i).getQueue());
            }
        }
        for (int i = 0; i < update.getDequeueCount(); i++) {
            if (counts(update.getDequeue(i).getLeaseId())) {
                dequeues++;
                keep(update.getGroup(), update.getDequeue(i).getQueue());
            }
        }
        for (int i = 0; i < update.getEnqueueCount() && !forcedOnly; i++) {
            enqueues++;
            keep(update.getGroup(), update.getEnqueue(i).getQueue());
        }
    }

    private boolean counts(long leaseId) {
        return !forcedOnly || leaseId == NO_LEASE;
    }

    private void keep(ByteString group, ByteString queue) {
        if (groups.size() <= MAX_NAMES) {
            groups.add(group);
        }
        if (queues.size() <= MAX_NAMES) {
            queues.add(queue);
        }
    }

    /** The names of groups, at most one more than {@link #MAX_NAMES}. */
    Set<ByteString> groups() {
        return groups;
    }

    /** The names of queues, at most one more than {@link #MAX_NAMES}. */
    Set<ByteString> queues() {
        return queues;
    }

    /**
     * The number of enqueues; 0 if only changes without a lease are collected, since an enqueue takes a task from no
     * owner.
     */
    long enqueues() {
        return enqueues;
    }

    long releases() {
        return releases;
    }

    long dequeues() {
        return dequeues;
    }
}
