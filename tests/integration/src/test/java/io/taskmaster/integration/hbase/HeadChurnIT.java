package io.taskmaster.integration.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.harness.hbase.DaemonRole;
import io.taskmaster.harness.hbase.HBaseCluster;
import io.taskmaster.harness.hbase.HBasePlan;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of the latency of leases while tasks come and go at the head of one long queue. HBase compacts nothing, so the
 * tombstone of every task that was ever stored stays there; leases must not become slower for it. Each task stays for a
 * few hundred turns, long enough to be stored, and tasks are enqueued among each other, so tombstones are both before
 * and within the head. Another queue competes for the small window budget, so the head has to be read again and again.
 *
 * <p>System property: {@code taskmaster.hbase.churn.minutes}, without which it does not run.
 */
@EnabledIfSystemProperty(named = "taskmaster.hbase.churn.minutes", matches = "[1-9][0-9]*")
final class HeadChurnIT {

    private static final int MINUTES = Integer.getInteger("taskmaster.hbase.churn.minutes", 1);

    /** The number of minutes at the start and at the end that are compared: of twenty, five. */
    private static final int PART = Math.max(1, MINUTES / 4);

    /**
     * The heap of the region server. In a smaller one the block cache cannot hold what twenty minutes leave behind, and
     * the test would measure garbage collections.
     */
    private static final int REGION_SERVER_HEAP_MEGABYTES = 1_024;

    private static final double ALLOWED_DRIFT = 1.2;

    /** The number of tasks in the head. */
    private static final int STANDING = 400;

    /** The distance of positions, so large that tasks seldom collide. */
    private static final long SPACING = 1 << 20;

    private static final int BACKLOG = 10_000;
    private static final int TURNS_BETWEEN_READS = 50;
    private static final Bytes DATA = Bytes.copyOf(new byte[1_000]);
    private static final QueueKey QUEUE = QueueKey.of("churn", "queue");
    private static final QueueKey OTHER = QueueKey.of("churn", "other");
    private static final long SEED = Long.getLong("taskmaster.seed", System.nanoTime());

    @TempDir
    private Path folder = Path.of("");

    private final SplittableRandom random = new SplittableRandom(SEED);

    /** The durations of leases in nanoseconds, by minute, the warm-up first. */
    private final List<List<Long>> minutes = new ArrayList<>();

    private long position;

    @Test
    void leasesStayAsFastAsTheyWere() throws Exception {
        System.out.printf("seed %d%n", SEED);
        try (HBaseCluster hbase = HBaseCluster.start(HBasePlan.in(folder.resolve("hbase"))
                        .withHeap(DaemonRole.REGION_SERVER, REGION_SERVER_HEAP_MEGABYTES)
                        .with("hbase.regionserver.compaction.enabled", "false")
                        .with("hbase.hstore.blockingStoreFiles", "1000")
                        .with("hbase.regionserver.optionalcacheflushinterval", "60000"));
                ServerProcess node = ServerProcess.start(ServerPlan.in(folder)
                        .withBothCompilers()
                        .withStore("hbase")
                        .with("hbase.zookeeper", hbase.zookeeper())
                        .with("hbase.regions", "1")
                        .with("partitions", "1")
                        .with("window.bytes", "1MiB"));
                TaskMasterClient client =
                        TaskMasterClient.builder(node.target()).maxRetries(10).build()) {
            BlockingClient tasks = client.blocking();
            fill(tasks);
            churn(tasks);
            report();
            assertThat(percentile(last(), 99)).as("p99 of leases, ns").isLessThan((long)
                    (ALLOWED_DRIFT * percentile(first(), 99)));
        }
    }

    private void fill(BlockingClient tasks) {
        for (int i = 0; i < BACKLOG; i += 500) {
            var update = Update.in(QUEUE.group());
            for (int j = i; j < i + 500; j++) {
                update.enqueue(QUEUE.name(), Pid.of("z%08d".formatted(j)), DATA)
                        .enqueue(OTHER.name(), Pid.of("z%08d".formatted(j)), DATA);
            }
            tasks.update(update.build());
        }
        for (int i = 0; i < STANDING; i++) {
            tasks.enqueue(QUEUE, atTheHead(), DATA);
        }
    }

    private void churn(BlockingClient tasks) {
        long startNanos = System.nanoTime();
        long turns = 0;
        for (int minute = 0; minute <= MINUTES; ) {
            tasks.enqueue(QUEUE, atTheHead(), DATA);
            long asked = System.nanoTime();
            List<LeasedTask> leased = tasks.lease(LeaseRequest.from(QUEUE).maxTasks(1));
            long answered = System.nanoTime();
            latencies(minute).add(answered - asked);
            assertThat(leased).hasSize(1).allMatch(task -> task.pid().toString().compareTo("z") < 0);
            tasks.dequeue(leased.getFirst());
            if (turns++ % TURNS_BETWEEN_READS == 0) {
                tasks.peek(PeekRequest.of(OTHER).maxTasks(2_000).withData(false));
            }
            minute = (int) Duration.ofNanos(answered - startNanos).toMinutes();
        }
    }

    private List<Long> latencies(int minute) {
        while (minutes.size() <= minute) {
            minutes.add(new ArrayList<>());
        }
        return minutes.get(minute);
    }

    private List<Long> first() {
        return join(minutes.subList(1, 1 + PART));
    }

    private List<Long> last() {
        return join(minutes.subList(minutes.size() - PART, minutes.size()));
    }

    private static List<Long> join(List<List<Long>> parts) {
        return parts.stream().flatMap(List::stream).toList();
    }

    /** Returns a PID before about half of the tasks in the head. */
    private Pid atTheHead() {
        return Pid.of("%016x".formatted(++position * SPACING + random.nextLong(2 * STANDING * SPACING)));
    }

    private void report() {
        System.out.println("minute  leases  p50 us  p99 us");
        for (int minute = 0; minute < minutes.size(); minute++) {
            List<Long> latencies = minutes.get(minute);
            System.out.printf(
                    "%6d  %6d  %6d  %6d%n",
                    minute, latencies.size(), percentile(latencies, 50) / 1_000, percentile(latencies, 99) / 1_000);
        }
        System.out.printf(
                "p99 %d us in the first %d min, %d us in the last%n",
                percentile(first(), 99) / 1_000, PART, percentile(last(), 99) / 1_000);
    }

    private static long percentile(List<Long> latencies, int percent) {
        List<Long> sorted = new ArrayList<>(latencies);
        Collections.sort(sorted);
        return sorted.get(sorted.size() * percent / 100);
    }
}
