package io.taskmaster.testkit.oracle;

import io.taskmaster.testkit.oracle.Operation.Configuring;
import io.taskmaster.testkit.oracle.Operation.Deleting;
import io.taskmaster.testkit.oracle.Operation.Describing;
import io.taskmaster.testkit.oracle.Operation.Leasing;
import io.taskmaster.testkit.oracle.Operation.Listing;
import io.taskmaster.testkit.oracle.Operation.Peeking;
import io.taskmaster.testkit.oracle.Operation.Updating;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** All operations of a history, by kind. Single-threaded; not changed after it is read. */
final class Operations {

    final List<Updating> updates = new ArrayList<>();
    final List<Leasing> leases = new ArrayList<>();
    final List<Peeking> peeks = new ArrayList<>();
    final List<Listing> lists = new ArrayList<>();
    final List<Describing> descriptions = new ArrayList<>();
    final List<Deleting> deletes = new ArrayList<>();
    final List<Configuring> configurations = new ArrayList<>();

    /** Queues that are not judged. */
    final Set<QueueId> unclearQueues = new HashSet<>();

    /** The number of calls of unknown outcome. */
    int unknownCalls;

    /** The time of the last reply. */
    long endMicros = Long.MIN_VALUE;
}
