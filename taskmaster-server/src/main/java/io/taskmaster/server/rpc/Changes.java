package io.taskmaster.server.rpc;

import com.google.protobuf.ByteString;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.UpdateRequest;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What an update, or a batch of them, does to tasks, as far as it goes on record: all of it; or what it does without naming a lease, by which it takes tasks from whoever has them.
 * That is administration, or a program that cancels tasks; workers name their leases. Not thread-safe.
 */
final class Changes {

    /** So many names of queues are kept, and of groups, and one more to show that there are others. */
    static final int MAX_NAMES = 20;

    private static final long NO_LEASE = 0;

    private final boolean forcedOnly;
    private final Set<ByteString> groups = new LinkedHashSet<>();
    private final Set<ByteString> queues = new LinkedHashSet<>();
    private long enqueues;
    private long releases;
    private long dequeues;

    private Changes(boolean forcedOnly) {
        this.forcedOnly = forcedOnly;
    }

    /** Releases and dequeues in a request that name no lease; empty if there are none. */
    static Optional<Changes> forced(Object request) {
        return new Changes(true).addAll(request);
    }

    /** Enqueues, releases and dequeues in a request; empty if there are none. */
    static Optional<Changes> all(Object request) {
        return new Changes(false).addAll(request);
    }

    private Optional<Changes> addAll(Object request) {
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

    /** At most one more than {@link #MAX_NAMES}. */
    Set<ByteString> groups() {
        return groups;
    }

    /** Likewise. */
    Set<ByteString> queues() {
        return queues;
    }

    /** None are counted of what is forced only: they take nothing from anybody. */
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
