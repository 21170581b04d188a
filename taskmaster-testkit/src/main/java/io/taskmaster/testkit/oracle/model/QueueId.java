package io.taskmaster.testkit.oracle.model;

import com.google.protobuf.ByteString;
import java.util.Comparator;

/** A queue of a consistency group. Ordered as queues are listed. Immutable. */
public record QueueId(ByteString group, ByteString name) implements Comparable<QueueId> {

    private static final Comparator<QueueId> ORDER = Comparator.comparing(
                    QueueId::group, ByteString.unsignedLexicographicalComparator())
            .thenComparing(QueueId::name, ByteString.unsignedLexicographicalComparator());

    @Override
    public int compareTo(QueueId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return (group.isEmpty() ? "" : Rendering.bytes(group) + "/") + Rendering.bytes(name);
    }
}
