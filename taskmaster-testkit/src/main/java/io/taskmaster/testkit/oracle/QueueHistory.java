package io.taskmaster.testkit.oracle;

import com.google.protobuf.ByteString;
import io.taskmaster.testkit.oracle.Operation.Configuring;
import io.taskmaster.testkit.oracle.Operation.Deleting;
import io.taskmaster.testkit.oracle.Operation.Leasing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All that happened to one queue. Single-threaded; not changed once it is projected. */
final class QueueHistory {

    static final Comparator<ByteString> PID_ORDER = ByteString.unsignedLexicographicalComparator();

    /**
     * An enqueue without a PID of which nobody was told what it was assigned.
     */
    record Unassigned(Operation.Updating update, Element.Enqueuing element) {}

    private final QueueId id;
    final List<KeyHistory> keys = new ArrayList<>();
    final List<Leasing> leases = new ArrayList<>();
    final List<Leasing> unknownLeases = new ArrayList<>();
    final List<Deleting> deletes = new ArrayList<>();
    final List<Configuring> configurations = new ArrayList<>();
    final List<Unassigned> unassigned = new ArrayList<>();

    /** Whether nothing can be said of it. */
    boolean unclear;

    QueueHistory(QueueId id) {
        this.id = id;
    }

    QueueId id() {
        return id;
    }

    /** When leases were invoked that may have taken a task without anybody being told, ascending. */
    long[] phantomTimes(ByteString pid) {
        long[] times = new long[unknownLeases.size()];
        int count = 0;
        for (Leasing lease : unknownLeases) {
            if (!lease.request().hasMaxPid()
                    || PID_ORDER.compare(pid, lease.request().getMaxPid()) <= 0) {
                times[count++] = lease.span().from();
            }
        }
        long[] sorted = java.util.Arrays.copyOf(times, count);
        java.util.Arrays.sort(sorted);
        return sorted;
    }
}
