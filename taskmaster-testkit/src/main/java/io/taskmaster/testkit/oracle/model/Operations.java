package io.taskmaster.testkit.oracle.model;

import io.taskmaster.testkit.oracle.model.RecordedOperation.Configuring;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Deleting;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Describing;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Leasing;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Listing;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Peeking;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Updating;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** All operations of a history, by kind. Single-threaded; not changed after it is read. */
public final class Operations {

    public final List<Updating> updates = new ArrayList<>();
    public final List<Leasing> leases = new ArrayList<>();
    final List<Peeking> peeks = new ArrayList<>();
    public final List<Listing> lists = new ArrayList<>();
    public final List<Describing> descriptions = new ArrayList<>();
    public final List<Deleting> deletes = new ArrayList<>();
    final List<Configuring> configurations = new ArrayList<>();

    /** Queues that are not judged. */
    final Set<QueueId> unclearQueues = new HashSet<>();

    /** The number of calls of unknown outcome. */
    public int unknownCalls;

    /** The time of the last reply. */
    long endMicros = Long.MIN_VALUE;
}
