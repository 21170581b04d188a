package io.taskmaster.testkit.oracle.model;

import com.google.protobuf.ByteString;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Configuring;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Deleting;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Leasing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The history of one queue. Single-threaded; not changed after the projection. */
public final class QueueHistory {

    public static final Comparator<ByteString> PID_ORDER = ByteString.unsignedLexicographicalComparator();

    /** An enqueue without a PID whose assigned PID no reply reported. */
    public record Unassigned(RecordedOperation.Updating update, Element.Enqueuing element) {}

    private final QueueId id;
    public final List<KeyHistory> keys = new ArrayList<>();
    public final List<Leasing> leases = new ArrayList<>();
    public final List<Leasing> unknownLeases = new ArrayList<>();
    public final List<Deleting> deletes = new ArrayList<>();
    public final List<Configuring> configurations = new ArrayList<>();
    public final List<Unassigned> unassigned = new ArrayList<>();

    /** True if the queue is not judged. */
    public boolean unclear;

    QueueHistory(QueueId id) {
        this.id = id;
    }

    public QueueId id() {
        return id;
    }

    /** Returns the times of invocation of leases of unknown outcome that may have taken the task, ascending. */
    public long[] phantomTimes(ByteString pid) {
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
