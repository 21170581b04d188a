package io.taskmaster.integration.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.testkit.hbase.HBaseCluster;
import io.taskmaster.testkit.hbase.HBasePlan;
import io.taskmaster.testkit.process.ServerPlan;
import io.taskmaster.testkit.process.ServerProcess;
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
 * Tasks come and go at the head of one long queue, while HBase compacts nothing, so that every task that was ever stored leaves its marker
 * there: leases do not get slower for it. Tasks stay for some hundred turns, long enough to be stored; another queue wants the little memory
 * that there is, so the head has to be read again and again.
 *
 * <p>System property: {@code taskmaster.hbase.churn.minutes}, without which it does not run.
 */
@EnabledIfSystemProperty(named = "taskmaster.hbase.churn.minutes", matches = "[1-9][0-9]*")
final class HeadChurnIT {

    private static final Duration LENGTH = Duration.ofMinutes(Integer.getInteger("taskmaster.hbase.churn.minutes", 1));
    private static final Duration WARM_UP = Duration.ofMinutes(1);

    /** The first and the last part, which are compared. */
    private static final Duration PART = LENGTH.dividedBy(4);

    private static final double ALLOWED_DRIFT = 1.2;

    private static final int STANDING = 400;
    private static final int BACKLOG = 10_000;
    private static final int TURNS_BETWEEN_READS = 50;
    private static final Bytes DATA = Bytes.copyOf(new byte[1_000]);
    private static final QueueKey QUEUE = QueueKey.of("churn", "queue");
    private static final QueueKey OTHER = QueueKey.of("churn", "other");
    private static final long SEED = Long.getLong("taskmaster.seed", System.nanoTime());

    @TempDir
    private Path folder = Path.of("");

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final List<Long> first = new ArrayList<>();
    private final List<Long> last = new ArrayList<>();

    @Test
    void leasesStayAsFastAsTheyWere() throws Exception {
        System.out.printf("seed %d%n", SEED);
        try (HBaseCluster hbase = HBaseCluster.start(HBasePlan.in(folder.resolve("hbase"))
                        .with("hbase.regionserver.compaction.enabled", "false")
                        .with("hbase.hstore.blockingStoreFiles", "1000")
                        .with("hbase.regionserver.optionalcacheflushinterval", "60000"));
                ServerProcess node = ServerProcess.start(ServerPlan.in(folder)
                        .withStore("hbase")
                        .with("hbase.zookeeper", hbase.zookeeper())
                        .with("hbase.regions", "1")
                        .with("partitions", "1")
                        .with("window.bytes", "1MiB"));
                TaskMasterClient client =
                        TaskMasterClient.builder(node.target()).maxRetries(10).build()) {
            BlockingClient tasks = client.blocking();
            fill(tasks);
            long turns = churn(tasks);
            report(turns);
            assertThat(p99(last)).as("p99 of leases, ns").isLessThan((long) (ALLOWED_DRIFT * p99(first)));
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

    /** How many turns. */
    private long churn(BlockingClient tasks) {
        long began = System.nanoTime() + WARM_UP.toNanos();
        long turns = 0;
        for (long at = System.nanoTime() - began; at < LENGTH.toNanos(); at = System.nanoTime() - began) {
            tasks.enqueue(QUEUE, atTheHead(), DATA);
            long asked = System.nanoTime();
            List<LeasedTask> leased = tasks.lease(LeaseRequest.from(QUEUE).maxTasks(1));
            note(at, System.nanoTime() - asked);
            assertThat(leased).hasSize(1).allMatch(task -> task.pid().toString().compareTo("z") < 0);
            tasks.dequeue(leased.getFirst());
            if (turns++ % TURNS_BETWEEN_READS == 0) {
                tasks.peek(PeekRequest.of(OTHER).maxTasks(2_000).withData(false));
            }
        }
        return turns;
    }

    private void note(long at, long latency) {
        if (at >= 0 && at < PART.toNanos()) {
            first.add(latency);
        } else if (at >= LENGTH.minus(PART).toNanos()) {
            last.add(latency);
        }
    }

    private Pid atTheHead() {
        return Pid.of("%016x".formatted(random.nextLong()));
    }

    private void report(long turns) {
        System.out.printf(
                "%d tasks came and went; lease p50 / p99 us: %d / %d in the first %d min, %d / %d in the last%n",
                turns,
                percentile(first, 50) / 1_000,
                p99(first) / 1_000,
                PART.toMinutes(),
                percentile(last, 50) / 1_000,
                p99(last) / 1_000);
    }

    private static long p99(List<Long> latencies) {
        return percentile(latencies, 99);
    }

    private static long percentile(List<Long> latencies, int percent) {
        List<Long> sorted = new ArrayList<>(latencies);
        Collections.sort(sorted);
        return sorted.get(sorted.size() * percent / 100);
    }
}
