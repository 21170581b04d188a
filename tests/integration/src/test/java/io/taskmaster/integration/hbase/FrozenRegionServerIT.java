package io.taskmaster.integration.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.DescribeRequest;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.harness.hbase.DaemonRole;
import io.taskmaster.harness.hbase.HBaseCluster;
import io.taskmaster.harness.hbase.HBasePlan;
import io.taskmaster.harness.hbase.HBaseProcess;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Partitions;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.tests.Slow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of one of two region servers freezing, with half of the partitions, while both halves are under load. The
 * other half is not affected, the node keeps its claim, and the half that hung continues when HBase has moved its
 * regions.
 */
@Slow
final class FrozenRegionServerIT {

    private static final int PARTITIONS = 16;

    /** The bound on calls to the half that is not affected. */
    private static final Duration UNDISTURBED = Duration.ofSeconds(2);

    /**
     * The time for which the server is frozen. After it, HBase has declared the server dead, and another node would
     * have declared this one dead.
     */
    private static final Duration FROZEN = Duration.ofSeconds(12);

    /** The number of calls to the frozen half: more than a lane sends at once. */
    private static final int HANGING_CALLS = 400;

    /** The deadline of calls. HBase has to notice, split the log of the server and open its regions elsewhere. */
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final List<QueueKey> UPPER = queues(true);
    private static final List<QueueKey> LOWER = queues(false);

    @TempDir
    private Path folder = Path.of("");

    @Test
    void onlyThePartitionsOfAServerThatHangsWaitForIt() throws Exception {
        try (HBaseCluster hbase =
                        HBaseCluster.start(HBasePlan.in(folder.resolve("hbase")).withRegionServers(2));
                ServerProcess node = ServerProcess.start(ServerPlan.in(folder)
                        .withBothCompilers()
                        .withStore("hbase")
                        .with("hbase.zookeeper", hbase.zookeeper())
                        .with("hbase.regions", "2")
                        .with("partitions", "" + PARTITIONS));
                TaskMasterClient client = client(node)) {
            HBaseProcess server = hbase.process(DaemonRole.REGION_SERVER);
            RegionMoves.giveUpperHalves(hbase.zookeeper(), server.port());
            int before = enqueueEach(client, UPPER) + enqueueEach(client, LOWER);

            server.pause();
            List<CompletableFuture<UpdateResult>> hanging = IntStream.range(0, HANGING_CALLS)
                    .mapToObj(i -> client.enqueue(UPPER.get(i % UPPER.size()), Bytes.of("hanging")))
                    .toList();
            LongSummaryStatistics undisturbed = callsFor(FROZEN, client, LOWER);
            System.out.printf(
                    "%d calls beside a server that hangs, longest %d ms%n",
                    undisturbed.getCount(), undisturbed.getMax());
            assertThat(undisturbed.getMax()).isLessThan(UNDISTURBED.toMillis());

            assertThat(hanging)
                    .allSatisfy(call -> assertThat(call.handle((done, failure) -> failure == null))
                            .succeedsWithin(DEADLINE));
            long acknowledged = before
                    + undisturbed.getCount()
                    + hanging.stream()
                            .filter(call -> !call.isCompletedExceptionally())
                            .count();
            enqueueEach(client, UPPER);
            assertThat(size(client))
                    .isBetween(acknowledged + UPPER.size(), acknowledged + UPPER.size() + failed(hanging));
            assertThat(node.isAlive()).isTrue();
            assertThat(node.starts()).isEqualTo(1);
        }
    }

    private static int enqueueEach(TaskMasterClient client, List<QueueKey> queues) {
        queues.forEach(queue -> client.blocking().enqueue(queue, Bytes.of("task")));
        return queues.size();
    }

    /**
     * Calls round-robin for this time.
     *
     * @return the number of calls, and their durations in milliseconds
     */
    private static LongSummaryStatistics callsFor(Duration length, TaskMasterClient client, List<QueueKey> queues) {
        LongSummaryStatistics calls = new LongSummaryStatistics();
        long startNanos = System.nanoTime();
        for (long now = startNanos; now - startNanos < length.toNanos(); ) {
            QueueKey queue = queues.get((int) (calls.getCount() % queues.size()));
            client.blocking().enqueue(queue, Bytes.of("undisturbed"));
            long then = System.nanoTime();
            calls.accept(Duration.ofNanos(then - now).toMillis());
            now = then;
        }
        return calls;
    }

    private static long failed(List<CompletableFuture<UpdateResult>> calls) {
        return calls.stream()
                .filter(CompletableFuture::isCompletedExceptionally)
                .count();
    }

    private static long size(TaskMasterClient client) {
        return client.blocking()
                .describe(DescribeRequest.of(QueueSelector.all()))
                .total()
                .summary()
                .available();
    }

    /** Returns queues of many groups, whose partitions are all in one half. */
    private static List<QueueKey> queues(boolean upper) {
        return IntStream.range(0, 4 * PARTITIONS)
                .mapToObj(i -> GroupName.of("group-" + i))
                .filter(group -> upper == Partitions.partitionOf(group, PARTITIONS) >= PARTITIONS / 2)
                .map(group -> new QueueKey(group, QueueName.of("queue")))
                .toList();
    }

    private static TaskMasterClient client(ServerProcess node) {
        return TaskMasterClient.builder(node.target())
                .deadline(DEADLINE)
                .maxRetries(100)
                .drain(Duration.ZERO)
                .build();
    }
}
