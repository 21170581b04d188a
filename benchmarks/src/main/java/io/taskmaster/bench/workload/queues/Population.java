package io.taskmaster.bench.workload.queues;

import com.google.protobuf.ByteString;
import io.taskmaster.bench.load.LoadConnections;
import io.taskmaster.bench.workload.Calls;
import io.taskmaster.bench.workload.Pids;
import io.taskmaster.bench.workload.Preload;
import io.taskmaster.bench.workload.QueueAddress;
import io.taskmaster.bench.workload.Scene;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.QueueSummary;
import java.util.Optional;

/**
 * A group of queues with the same number of small tasks in each, before and after every measurement. Immutable.
 *
 * @param tasksEach the number of tasks per queue
 */
record Population(ByteString group, int queues, int tasksEach) {

    private static final String PREFIX = "q-";
    private static final String ALL = "q-[0-9]+";
    private static final int TASK_BYTES = 100;

    /** Enqueues all tasks, in large updates over many queues each. Blocks. */
    void fill(LoadConnections loadConnections) throws InterruptedException {
        ByteString data = Scene.randomData(TASK_BYTES);
        Preload.fill(
                loadConnections,
                group,
                tasks(),
                number -> new QueueAddress(group, name((int) (number % queues))).enqueue(Pids.of(number), data));
    }

    long tasks() {
        return (long) queues * tasksEach;
    }

    /** The selector of all queues of the group, whatever their names. */
    QueueSelector selector() {
        return QueueSelector.newBuilder().setGroup(group).build();
    }

    /** The selector of all queues by a pattern. */
    QueueSelector matching() {
        return QueueSelector.newBuilder().setGroup(group).setNameRe(ALL).build();
    }

    QueueSelector one(int index) {
        return QueueSelector.newBuilder().setGroup(group).addNames(name(index)).build();
    }

    ByteString name(int index) {
        return ByteString.copyFromUtf8(PREFIX + index);
    }

    /** Returns the fault of the server's summary of one queue; empty if the queue has the right number of tasks. */
    Optional<String> fault(QueueSummary summary) {
        return Calls.tasks(summary) == tasksEach
                ? Optional.empty()
                : Optional.of("check: a queue with more or fewer tasks than were enqueued");
    }
}
