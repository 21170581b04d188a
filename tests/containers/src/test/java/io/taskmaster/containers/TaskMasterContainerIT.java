package io.taskmaster.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.testkit.containers.TaskMasterContainer;
import io.taskmaster.testkit.junit.TaskMasterContainerExtension;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict;
import io.taskmaster.testkit.oracle.verdict.Promise;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of a server in a container on RocksDB: kills, restarts, freezes and network failures. */
@ExtendWith(ProjectImages.class)
final class TaskMasterContainerIT {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @RegisterExtension
    static final TaskMasterContainerExtension taskmaster = TaskMasterContainerExtension.of(TaskMasterContainer::new);

    private QueueKey queue;

    @BeforeEach
    void nameQueue() {
        queue = taskmaster.queue("queue");
    }

    @Test
    void aTaskIsEnqueuedLeasedAndDequeued(BlockingClient tasks) {
        tasks.enqueue(queue, Pid.of("a"), Bytes.of("data"));

        List<LeasedTask> leased = tasks.lease(LeaseRequest.from(queue).length(LEASE));

        assertThat(leased).singleElement().satisfies(task -> {
            assertThat(task.data()).isEqualTo(Bytes.of("data"));
            assertThat(tasks.dequeue(task).success()).isTrue();
        });
    }

    @Test
    void saysOverHttpThatItServes(TaskMasterContainer container) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI health = URI.create("http://" + container.httpTarget() + "/healthz");

            assertThat(http.send(HttpRequest.newBuilder(health).build(), BodyHandlers.ofString())
                            .body())
                    .contains("\"SERVING\"");
        }
    }

    @Test
    void nothingAcknowledgedIsLostWhenItIsKilledUnderLoad(TaskMasterContainer container) throws Exception {
        try (HandOffLoad load = HandOffLoad.on(container.target(), taskmaster.group())) {
            load.awaitMore(1_000);
            container.kill();
            container.start();
            load.awaitMore(1_000);

            OracleVerdict verdict = load.verdict();
            assertThat(verdict.isClean()).as(verdict::toString).isTrue();
        }
    }

    @Test
    void whatIsLostIsNoticed() throws InterruptedException {
        try (var forgetful = new TaskMasterContainer().withStore("memory").withSetting("partitions", "8")) {
            forgetful.start();
            try (HandOffLoad load = HandOffLoad.on(forgetful.target(), taskmaster.group())) {
                load.awaitMore(100);
                forgetful.kill();
                forgetful.start();
                load.awaitMore(100);

                assertThat(load.verdict().broken()).contains(Promise.NOTHING_LOST);
            }
        }
    }

    @Test
    void endsInGoodOrderAndComesBackWithItsData(TaskMasterContainer container, BlockingClient tasks) {
        tasks.enqueue(queue, Pid.of("a"), Bytes.of("data"));

        assertThat(container.terminate()).isZero();
        container.start();

        assertThat(tasks.lease(LeaseRequest.from(queue).length(LEASE))).hasSize(1);
    }

    @Test
    void whatIsAskedWhileItIsFrozenIsAnsweredWhenItGoesOn(TaskMasterContainer container, TaskMasterClient client) {
        container.pause();
        CompletableFuture<UpdateResult> asked = client.enqueue(queue, Pid.of("a"), Bytes.EMPTY);

        assertThat(asked).as("a frozen server answers nobody").isNotDone();
        container.resume();

        assertThat(asked).succeedsWithin(TIMEOUT).matches(UpdateResult::success);
    }

    @Test
    void diesWhileItIsFrozen(TaskMasterContainer container, BlockingClient tasks) {
        tasks.enqueue(queue, Pid.of("a"), Bytes.EMPTY);

        container.pause();
        container.kill();
        container.start();

        assertThat(tasks.lease(LeaseRequest.from(queue).length(LEASE))).hasSize(1);
    }

    @Test
    void clientsFindItAgainWhenTheNetworkIsBack(TaskMasterContainer container, TaskMasterClient client) {
        client.enqueue(queue, Pid.of("a"), Bytes.EMPTY).join();

        container.cutOff();
        CompletableFuture<UpdateResult> asked = client.enqueue(queue, Pid.of("b"), Bytes.EMPTY);
        assertThat(asked).isNotDone();
        container.reconnect();

        assertThat(asked).succeedsWithin(TIMEOUT).matches(UpdateResult::success);
        assertThat(client.blocking()
                        .lease(LeaseRequest.from(queue).length(LEASE).maxTasks(10)))
                .extracting(LeasedTask::pid)
                .containsExactly(Pid.of("a"), Pid.of("b"));
    }
}
