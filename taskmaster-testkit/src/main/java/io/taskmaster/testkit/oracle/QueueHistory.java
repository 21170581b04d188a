package io.taskmaster.testkit.oracle;

import com.google.protobuf.ByteString;
import io.taskmaster.testkit.oracle.Operation.Configuring;
import io.taskmaster.testkit.oracle.Operation.Deleting;
import io.taskmaster.testkit.oracle.Operation.Leasing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The history of one queue. Single-threaded; not changed after the projection. */
final class QueueHistory {

    static final Comparator<ByteString> PID_ORDER = ByteString.unsignedLexicographicalComparator();

    /** An enqueue without a PID whose assigned PID no reply reported. */
    record Unassigned(Operation.Updating update, Element.Enqueuing element) {}

    private final QueueId id;
    final List<KeyHistory> keys = new ArrayList<>();
    final List<Leasing> leases = new ArrayList<>();
    final List<Leasing> unknownLeases = new ArrayList<>();
    final List<Deleting> deletes = new ArrayList<>();
    final List<Configuring> configurations = new ArrayList<>();
    final List<Unassigned> unassigned = new ArrayList<>();

    /** True if the queue is not judged. */
    boolean unclear;

    QueueHistory(QueueId id) {
        this.id = id;
    }

    QueueId id() {
        return id;
    }

    /** Returns the times of invocation of leases of unknown outcome that may have taken the task, ascending. */
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
