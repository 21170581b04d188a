package io.taskmaster.integration.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.taskmaster.client.DescribeRequest;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.PeekResult.PeekedTask;
import io.taskmaster.client.PeekResult.State;
import io.taskmaster.client.QueueOptions;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A known set of tasks with everything that a server stores: PIDs of all kinds, data, headers, attempts, a lease, a
 * delay, a remembered rerun, options, and a deleted queue. One version of the server writes it, and another one has to
 * find it. Thread-safe.
 */
final class StoredTasks {

    private static final int FIFO_TASKS = 200;
    private static final int DATA_BYTES = 100;
    private static final Instant FAR_OFF = Instant.parse("2100-01-01T00:00:00Z");
    private static final Duration LONGEST_LEASE = Duration.ofDays(7);
    private static final Map<String, String> HEADERS = Map.of("traceparent", "00-1");
    private static final Pid BINARY = Pid.copyOf(new byte[] {0, (byte) 0xff, 0});

    private static final GroupName GROUP = GroupName.of("stored");
    private static final QueueKey FIFO = QueueKey.of("stored", "fifo");
    private static final QueueKey PIDS = QueueKey.of("stored", "pids");
    private static final QueueKey LEASED = QueueKey.of("stored", "leased");
    private static final QueueKey DELAYED = QueueKey.of("stored", "delayed");
    private static final QueueKey CAPPED = QueueKey.of("stored", "capped");
    private static final QueueKey DELETED = QueueKey.of("stored", "deleted");
    private static final QueueKey OTHER_GROUP = QueueKey.of("", "other");

    private final TaskMasterClient client;

    StoredTasks(TaskMasterClient client) {
        this.client = client;
    }

    /**
     * Writes the tasks to a server, and the id of the lease to a file.
     *
     * @param arguments the address of the server, and the file
     */
    public static void main(String[] arguments) throws IOException {
        try (TaskMasterClient client = TaskMasterClient.connect(arguments[0])) {
            Files.writeString(Path.of(arguments[1]), Long.toString(new StoredTasks(client).write()));
        }
    }

    /** Writes the tasks to an empty server. Returns the id of the lease. */
    long write() {
        for (int i = 0; i < FIFO_TASKS; i++) {
            enqueue(FIFO, Enqueue.fifo(FIFO.name(), data(i)));
        }
        enqueue(PIDS, Enqueue.of(PIDS.name(), Pid.EMPTY, Bytes.of("first")).headers(HEADERS));
        enqueue(PIDS, Enqueue.of(PIDS.name(), BINARY, Bytes.EMPTY));
        enqueue(PIDS, Enqueue.of(PIDS.name(), Pid.of("b"), Bytes.of("gone")));
        client.blocking()
                .update(Update.in(GROUP)
                        .dequeue(PIDS.name(), Pid.of("b"), Update.UNCONDITIONAL)
                        .build());
        enqueue(
                DELAYED,
                Enqueue.of(DELAYED.name(), Pid.of("d"), Bytes.of("later")).notBefore(FAR_OFF));
        enqueue(OTHER_GROUP, Enqueue.of(OTHER_GROUP.name(), Pid.of("o"), Bytes.of("other")));
        enqueue(DELETED, Enqueue.of(DELETED.name(), Pid.of("x"), Bytes.of("deleted")));
        client.blocking().delete(QueueSelector.of(DELETED));
        client.blocking().configure(CAPPED, QueueOptions.DEFAULT.paused(true).maxLeased(3));

        enqueue(LEASED, Enqueue.of(LEASED.name(), Pid.of("l"), Bytes.of("work")));
        client.blocking().release(lease());
        LeasedTask leased = lease();
        enqueue(
                LEASED,
                Enqueue.of(LEASED.name(), Pid.of("l"), Bytes.of("again")).ifExists(IfExists.RERUN));
        return leased.leaseId();
    }

    private LeasedTask lease() {
        return client.blocking()
                .lease(LeaseRequest.from(LEASED).length(LONGEST_LEASE))
                .getFirst();
    }

    private void enqueue(QueueKey queue, Enqueue enqueue) {
        UpdateResult result = client.blocking()
                .update(Update.in(queue.group()).enqueue(enqueue).build());
        assertThat(result.success()).isTrue();
    }

    private static Bytes data(int number) {
        return Bytes.of(("%0" + DATA_BYTES + "d").formatted(number));
    }

    /** Asserts that a server has all of the tasks and no others, and that it goes on from there. */
    void assertPresent(long leaseId) {
        assertThat(client.blocking().list(ListRequest.of(QueueSelector.all())).queues())
                .extracting(QueueSummary::queue, QueueSummary::total)
                .containsExactlyInAnyOrder(
                        tuple(FIFO, (long) FIFO_TASKS),
                        tuple(PIDS, 2L),
                        tuple(LEASED, 1L),
                        tuple(DELAYED, 1L),
                        tuple(OTHER_GROUP, 1L));
        assertFifoOrder();
        assertThat(peek(PIDS))
                .extracting(PeekedTask::pid, PeekedTask::data, PeekedTask::headers, PeekedTask::attempt)
                .containsExactly(
                        tuple(Pid.EMPTY, Bytes.of("first"), HEADERS, 0), tuple(BINARY, Bytes.EMPTY, Map.of(), 0));
        assertThat(peek(DELAYED)).singleElement().satisfies(task -> {
            assertThat(task.state()).isEqualTo(State.DELAYED);
            assertThat(task.until()).contains(FAR_OFF);
        });
        assertThat(client.blocking()
                        .describe(DescribeRequest.of(QueueSelector.of(CAPPED)))
                        .queues())
                .singleElement()
                .satisfies(queue -> assertThat(queue.options())
                        .extracting(QueueOptions::paused, QueueOptions::maxLeased)
                        .containsExactly(true, 3));
        assertLease(leaseId);
    }

    private void assertFifoOrder() {
        List<PeekedTask> tasks = client.blocking()
                .peek(PeekRequest.of(FIFO).withData(true).maxTasks(FIFO_TASKS))
                .tasks();
        assertThat(tasks).hasSize(FIFO_TASKS);
        for (int i = 0; i < FIFO_TASKS; i++) {
            assertThat(tasks.get(i).data()).isEqualTo(data(i));
        }
        Pid next =
                client.blocking().enqueue(FIFO, Bytes.of("next")).assignedPids().getFirst();
        assertThat(next).isGreaterThan(tasks.getLast().pid());
    }

    /** Asserts that the lease still fences, and that the rerun takes the place of the task. */
    private void assertLease(long leaseId) {
        assertThat(peek(LEASED)).singleElement().satisfies(task -> {
            assertThat(task.data()).isEqualTo(Bytes.of("work"));
            assertThat(task.attempt()).isEqualTo(2);
        });
        assertThat(dequeue(leaseId + 1)).containsExactly(Status.LEASE_LOST);
        assertThat(dequeue(leaseId)).containsExactly(Status.OK);
        assertThat(peek(LEASED))
                .singleElement()
                .satisfies(task -> assertThat(task.data()).isEqualTo(Bytes.of("again")));
    }

    private List<Status> dequeue(long leaseId) {
        return client.blocking()
                .update(Update.in(GROUP)
                        .dequeue(LEASED.name(), Pid.of("l"), leaseId)
                        .build())
                .dequeues();
    }

    private List<PeekedTask> peek(QueueKey queue) {
        return client.blocking().peek(PeekRequest.of(queue).withData(true)).tasks();
    }
}
