package io.taskmaster.server.rpc;

import com.google.protobuf.ByteString;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.UpdateRequest;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What an update, or a batch of them, does to tasks without naming their lease: it takes them from whoever has them. That is administration, or a program that
 * cancels tasks; workers name their leases. Not thread-safe.
 */
final class Forced {

    /** So many names of queues are kept, and of groups, and one more to show that there are others. */
    static final int MAX_NAMES = 20;

    private static final long NO_LEASE = 0;

    private final Set<ByteString> groups = new LinkedHashSet<>();
    private final Set<ByteString> queues = new LinkedHashSet<>();
    private long releases;
    private long dequeues;

    private Forced() {}

    /** What there is of it in a request; empty if nothing. */
    static Optional<Forced> in(Object request) {
        Forced forced = new Forced();
        if (request instanceof UpdateRequest update) {
            forced.add(update);
        } else if (request instanceof BatchRequest batch) {
            for (int i = 0; i < batch.getOperationsCount(); i++) {
                forced.add(batch.getOperations(i).getUpdate());
            }
        }
        return forced.releases + forced.dequeues == 0 ? Optional.empty() : Optional.of(forced);
    }

    private void add(UpdateRequest update) {
        for (int i = 0; i < update.getReleaseCount(); i++) {
            if (update.getRelease(i).getLeaseId() == NO_LEASE) {
                releases++;
                keep(update.getGroup(), update.getRelease(i).getQueue());
            }
        }
        for (int i = 0; i < update.getDequeueCount(); i++) {
            if (update.getDequeue(i).getLeaseId() == NO_LEASE) {
                dequeues++;
                keep(update.getGroup(), update.getDequeue(i).getQueue());
            }
        }
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

    long releases() {
        return releases;
    }

    long dequeues() {
        return dequeues;
    }
}
