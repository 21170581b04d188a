package io.taskmaster.integration.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.DescribeRequest;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests of two nodes on one HBase: the ownership of the data, and its transfer. */
@ExtendWith(SharedHBase.class)
final class TakeOverIT {

    private static final long SEED = Long.getLong("taskmaster.seed", System.nanoTime());
    private static final QueueKey QUEUE = QueueKey.of("group", "queue");

    @TempDir
    private Path folder = Path.of("");

    private String prefix = "";

    @BeforeEach
    void takeTablesOfOurOwn(TestInfo test) {
        prefix = test.getTestMethod().orElseThrow().getName().substring(0, 12) + ".";
    }

    @Test
    void whileOneNodeLivesAnotherEndsWithStatusThree() throws InterruptedException {
        try (ServerProcess first = ServerProcess.start(plan("first"))) {
            assertThatThrownBy(() -> ServerProcess.start(plan("second")))
                    .hasMessageContaining("the data is held by node first");
            assertServes(first);
        }
    }

    @Test
    void theSameNodeGoesOnAtOnceAfterAKill() throws InterruptedException {
        try (ServerProcess node = ServerProcess.start(plan("node"))) {
            enqueue(node, "kept");
            node.kill();
            node.start();
            node.awaitServing();

            assertThat(node.lastOutput()).doesNotContain("watching");
            assertThat(size(node)).isEqualTo(1);
        }
    }

    @Test
    void aPausedNodeIsTakenOverFromAndHarmsNobodyWhenItGoesOn() throws InterruptedException {
        try (ServerProcess first = ServerProcess.start(plan("first"))) {
            TokenLoad load = new TokenLoad(first.target(), SEED);
            try (TokenLoad.Running workers = load.start()) {
                await().atMost(Duration.ofMinutes(1)).until(() -> load.acknowledged() > 500);
                first.pause();
                try (ServerProcess second = ServerProcess.start(plan("second"));
                        TaskMasterClient client = client(second)) {
                    first.resume();

                    await().atMost(Duration.ofSeconds(30)).until(() -> !first.isAlive());
                    assertThat(first.lastOutput())
                            .contains("the data is held by node second")
                            .contains("can neither answer nor write any more");
                    workers.stop();
                    load.inspect(client.blocking());
                    assertServes(second);
                }
            }
        }
    }

    @Test
    void whatAPausedNodeHadInFlightIsNotAcknowledged() throws InterruptedException {
        try (ServerProcess first = ServerProcess.start(plan("first"));
                TaskMasterClient client = client(first)) {
            client.blocking().enqueue(QUEUE, Bytes.of("before"));
            first.pause();
            var late = client.enqueue(QUEUE, Bytes.of("late"));
            try (ServerProcess second = ServerProcess.start(plan("second").with("node.take-over", "true"))) {
                first.resume();

                assertThat(late)
                        .failsWithin(Duration.ofSeconds(60))
                        .withThrowableThat()
                        .withCauseInstanceOf(TaskMasterException.class);
                assertThat(size(second)).isEqualTo(1);
            }
        }
    }

    @Test
    void aNodeThatWasShutDownIsFollowedAtOnce() throws InterruptedException {
        try (ServerProcess first = ServerProcess.start(plan("first"))) {
            enqueue(first, "kept");
            assertThat(first.terminate()).hasValue(0);
        }
        try (ServerProcess second = ServerProcess.start(plan("second"))) {
            assertThat(second.lastOutput()).doesNotContain("watching");
            assertThat(size(second)).isEqualTo(1);
        }
    }

    @Test
    void ofTwoNodesThatStartTogetherWithNothingThereOneServesAndOneEndsWithStatusThree() throws InterruptedException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ServerProcess>> nodes = Stream.of("first", "second")
                    .map(name -> threads.submit(() -> ServerProcess.start(plan(name))))
                    .toList();
            await().atMost(Duration.ofMinutes(2)).until(() -> nodes.stream().allMatch(Future::isDone));
            List<ServerProcess> serving = nodes.stream()
                    .filter(node -> node.state() == Future.State.SUCCESS)
                    .map(Future::resultNow)
                    .toList();
            try {
                assertThat(serving).hasSize(1).allSatisfy(TakeOverIT::assertServes);
                assertThat(nodes)
                        .filteredOn(node -> node.state() == Future.State.FAILED)
                        .hasSize(1)
                        .allSatisfy(node ->
                                assertThat(node.exceptionNow()).hasMessageContaining("the data is held by node"));
            } finally {
                serving.forEach(ServerProcess::close);
            }
        }
    }

    private ServerPlan plan(String node) {
        try {
            return ServerPlan.in(Files.createDirectories(folder.resolve(node)))
                    .withStore("hbase")
                    .with("hbase.zookeeper", SharedHBase.zookeeper())
                    .with("hbase.table-prefix", prefix)
                    .with("hbase.regions", "1")
                    .with("partitions", "8")
                    .with("node.id", node);
        } catch (java.io.IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }

    private static void assertServes(ServerProcess node) {
        enqueue(node, "probe");
    }

    private static void enqueue(ServerProcess node, String data) {
        try (TaskMasterClient client = client(node)) {
            client.blocking().enqueue(QUEUE, Bytes.of(data));
        }
    }

    private static long size(ServerProcess node) {
        try (TaskMasterClient client = client(node)) {
            return client.blocking()
                    .describe(DescribeRequest.of(QueueSelector.of(QUEUE)))
                    .total()
                    .summary()
                    .available();
        }
    }

    private static TaskMasterClient client(ServerProcess node) {
        return TaskMasterClient.builder(node.target())
                .deadline(Duration.ofSeconds(50))
                .maxRetries(0)
                .drain(Duration.ZERO)
                .build();
    }
}
