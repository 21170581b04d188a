package io.taskmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.KeptLease;
import io.taskmaster.client.LeaseKeeper;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.PeekResult.PeekedTask;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.RequestIds;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.program.StartException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests of the client with a whole server, over a connection that breaks at the critical moment; and of leases that are
 * kept.
 */
@Timeout(120)
final class ClientOutcomeIT {

    private static final QueueKey QUEUE = QueueKey.of("g", "q");
    private static final QueueKey NEXT = QueueKey.of("g", "next");

    private final TaskMasterServer server;
    private final LossyProxy wire;
    private final TaskMasterClient direct;
    private final BlockingClient tasks;

    ClientOutcomeIT() throws StartException, IOException {
        server = TaskMasterServer.start(TestConfig.freePorts(), Nodes.factory());
        wire = new LossyProxy(server.rpcPort());
        direct = TaskMasterClient.builder("127.0.0.1:" + server.rpcPort())
                .requestIds(RequestIds.NEVER)
                .build();
        tasks = direct.blocking();
    }

    @BeforeEach
    void fill() {
        tasks.enqueue(QUEUE, Pid.of("p"), Bytes.of("data"));
    }

    @AfterEach
    void close() throws IOException {
        direct.close();
        wire.close();
        server.close();
    }

    @Test
    void handOffWhoseReplyIsLostIsDoneOnceAndNobodyPretendsToKnow() throws IOException {
        LeasedTask task = tasks.lease(LeaseRequest.from(QUEUE)).getFirst();
        Update handOff =
                Update.in("g").dequeue(task).enqueue(NEXT.name(), task.data()).build();

        CompletableFuture<UpdateResult> future = sendOverBreakingWire(RequestIds.NEVER, handOff, NEXT);

        assertThatThrownBy(future::join)
                .cause()
                .isInstanceOfSatisfying(
                        TaskMasterException.class,
                        error -> assertThat(error.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN));
        assertThat(sizes()).containsExactly(new QueueSummary(NEXT, 1, 0, 0));
    }

    @Test
    void handOffUnderAnIdIsDoneOnceAndItsFirstReplyIsTold() throws IOException {
        LeasedTask task = tasks.lease(LeaseRequest.from(QUEUE)).getFirst();
        Update handOff =
                Update.in("g").dequeue(task).enqueue(NEXT.name(), task.data()).build();

        UpdateResult result =
                sendOverBreakingWire(RequestIds.ALWAYS, handOff, NEXT).join();

        assertThat(result.dequeues()).containsExactly(Status.OK);
        assertThat(sizes()).containsExactly(new QueueSummary(NEXT, 1, 0, 0));
    }

    @Test
    void enqueueWhoseReplyIsLostIsQueuedOnceAndItsPidIsTold() throws IOException {
        Update enqueue = Update.in("g").enqueue(NEXT.name(), Bytes.of("x")).build();

        UpdateResult result =
                sendOverBreakingWire(RequestIds.WHERE_NEEDED, enqueue, NEXT).join();

        assertThat(tasks.peek(PeekRequest.of(NEXT)).tasks())
                .extracting(PeekedTask::pid)
                .containsExactlyElementsOf(result.assignedPids());
    }

    @Test
    void renewalWhoseReplyIsLostIsSentAgain() throws IOException {
        LeasedTask task = tasks.lease(LeaseRequest.from(QUEUE)).getFirst();
        try (TaskMasterClient client = overWire(RequestIds.NEVER)) {
            wire.swallowReplies();
            CompletableFuture<UpdateResult> future = client.renew(task, Duration.ofHours(1));
            await().until(() -> until(QUEUE).isAfter(task.leaseExpires()));
            wire.cut();

            assertThat(future.join().renewals()).containsExactly(Status.OK);
        }
    }

    @Test
    void keptLeaseOutlivesItsFirstLengthAndEndsWhenItIsNotKept() {
        Duration second = Duration.ofSeconds(1);
        try (LeaseKeeper keeper = direct.keepLeases(second)) {
            LeasedTask task = lease(second);
            KeptLease lease = keeper.keep(task);
            await().until(() -> until(QUEUE).isAfter(task.leaseExpires().plus(second)));
            assertThat(tasks.lease(LeaseRequest.from(QUEUE))).isEmpty();
            assertThat(lease.isLost()).isFalse();

            lease.close();
            assertThat(tasks.lease(LeaseRequest.from(QUEUE).maxWait(Duration.ofSeconds(30))))
                    .singleElement()
                    .satisfies(again -> assertThat(again.leaseId()).isGreaterThan(task.leaseId()));
        }
    }

    @Test
    void keeperTellsThatSomebodyElseEndedTheTask() {
        Duration second = Duration.ofSeconds(1);
        try (LeaseKeeper keeper = direct.keepLeases(second)) {
            KeptLease lease = keeper.keep(lease(second));

            tasks.update(Update.in("g")
                    .dequeue(QUEUE.name(), Pid.of("p"), Update.UNCONDITIONAL)
                    .build());

            assertThat(lease.lost())
                    .succeedsWithin(Duration.ofSeconds(30))
                    .satisfies(loss -> assertThat(loss.status()).isEqualTo(Status.NOT_FOUND));
        }
    }

    private LeasedTask lease(Duration length) {
        return tasks.lease(LeaseRequest.from(QUEUE).length(length)).getFirst();
    }

    /** Sends an update, waits until it shows in a queue, and breaks the connection before its reply has come back. */
    private CompletableFuture<UpdateResult> sendOverBreakingWire(RequestIds which, Update update, QueueKey shows)
            throws IOException {
        try (TaskMasterClient client = overWire(which)) {
            wire.swallowReplies();
            CompletableFuture<UpdateResult> future = client.update(update);
            await().until(() -> sizes().stream().anyMatch(size -> size.queue().equals(shows)));
            wire.cut();
            await().until(future::isDone);
            return future;
        }
    }

    /** Returns a client that is connected already, so that a reply is swallowed and not the handshake. */
    private TaskMasterClient overWire(RequestIds which) {
        TaskMasterClient client =
                TaskMasterClient.builder(wire.address()).requestIds(which).build();
        client.blocking().list(ListRequest.of(QueueSelector.all()));
        return client;
    }

    private List<QueueSummary> sizes() {
        return tasks.list(ListRequest.of(QueueSelector.all())).queues();
    }

    private Instant until(QueueKey queue) {
        return tasks.peek(PeekRequest.of(queue)).tasks().stream()
                .findFirst()
                .flatMap(PeekedTask::until)
                .orElse(Instant.MIN);
    }
}
