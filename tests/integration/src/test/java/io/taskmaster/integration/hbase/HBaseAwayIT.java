package io.taskmaster.integration.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.harness.hbase.HBaseCluster;
import io.taskmaster.harness.hbase.HBasePlan;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import io.taskmaster.tests.Slow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of a whole HBase that is down for a minute while clients keep calling. They receive errors that say to retry
 * later or that the outcome is unknown; at the end every acknowledged task is there, and no dequeued one.
 *
 * <p>System properties: {@code taskmaster.hbase.away.seconds}, {@code taskmaster.seed}.
 */
final class HBaseAwayIT {

    private static final long AWAY_SECONDS = Long.getLong("taskmaster.hbase.away.seconds", 60);
    private static final long SEED = Long.getLong("taskmaster.seed", System.nanoTime());
    private static final Duration RESUMES_WITHIN = Duration.ofSeconds(10);

    @TempDir
    private Path folder = Path.of("");

    @Test
    @Slow
    void serviceResumesByItselfSoonAfterHBaseIsBack() throws Exception {
        try (HBaseCluster hbase = HBaseCluster.start(HBasePlan.in(folder.resolve("hbase")));
                ServerProcess node = ServerProcess.start(ServerPlan.in(folder)
                        .withBothCompilers()
                        .withStore("hbase")
                        .with("hbase.zookeeper", hbase.zookeeper())
                        .with("hbase.regions", "4")
                        .with("partitions", "32"))) {
            TokenLoad load = new TokenLoad(node.target(), SEED);
            try (TokenLoad.Running workers = load.start()) {
                await().atMost(Duration.ofMinutes(1)).until(() -> load.acknowledged() > 500);
                hbase.killAll();
                TimeUnit.SECONDS.sleep(AWAY_SECONDS);
                hbase.revive();
                hbase.awaitReady();
                resumes(load);
                workers.stop();
            }
            assertThat(node.isAlive()).isTrue();
            assertThat(node.starts()).isEqualTo(1);
            try (TaskMasterClient client = load.patientClient()) {
                load.inspect(client.blocking());
            }
        }
    }

    private static void resumes(TokenLoad load) {
        long back = System.nanoTime();
        long before = load.acknowledged();
        await().pollInterval(Duration.ofMillis(20))
                .atMost(RESUMES_WITHIN)
                .until(() -> load.acknowledged() > before + 100);
        System.out.printf(
                "away for %d s; 100 calls answered %d ms after it was back%n",
                AWAY_SECONDS, Duration.ofNanos(System.nanoTime() - back).toMillis());
    }
}
