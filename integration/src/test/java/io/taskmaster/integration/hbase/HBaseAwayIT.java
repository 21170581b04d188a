package io.taskmaster.integration.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.testkit.hbase.HBaseCluster;
import io.taskmaster.testkit.hbase.HBasePlan;
import io.taskmaster.testkit.process.ServerPlan;
import io.taskmaster.testkit.process.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HBase is away for a minute, all of it, while clients go on asking. System property: {@code taskmaster.hbase.away.seconds}. */
final class HBaseAwayIT {

    private static final long AWAY_SECONDS = Long.getLong("taskmaster.hbase.away.seconds", 60);
    private static final Duration RESUMES_WITHIN = Duration.ofSeconds(10);

    /** What a caller may be told: nothing was done, or nobody knows. */
    private static final Set<String> RETRYABLE =
            Set.of("OUTCOME_UNKNOWN", "PARTITION_OPENING", "OVERLOADED", "READ_FAILED", "DEADLINE_EXCEEDED");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void serviceResumesByItselfSoonAfterHBaseIsBack() throws Exception {
        try (HBaseCluster hbase = HBaseCluster.start(HBasePlan.in(folder.resolve("hbase")));
                ServerProcess node = ServerProcess.start(ServerPlan.in(folder)
                        .withStore("hbase")
                        .with("hbase.zookeeper", hbase.zookeeper())
                        .with("hbase.regions", "4")
                        .with("partitions", "32"));
                Load load = Load.start(node.target(), Duration.ofSeconds(10), 0)) {
            await().atMost(Duration.ofMinutes(1)).until(() -> load.calls() > 500);
            hbase.killAll();
            TimeUnit.SECONDS.sleep(AWAY_SECONDS);
            hbase.revive();
            hbase.awaitReady();
            long back = System.nanoTime();
            long before = load.calls();
            await().pollInterval(Duration.ofMillis(20)).atMost(RESUMES_WITHIN).until(() -> load.calls() > before + 100);
            System.out.printf(
                    "away for %d s; 100 calls answered %d ms after it was back; failures %s%n",
                    AWAY_SECONDS, Duration.ofNanos(System.nanoTime() - back).toMillis(), load.failures());
            assertThat(load.failures().keySet()).isSubsetOf(RETRYABLE);
            assertThat(node.isAlive()).isTrue();
            assertThat(node.starts()).isEqualTo(1);
        }
    }
}
