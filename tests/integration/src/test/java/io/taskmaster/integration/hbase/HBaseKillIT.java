package io.taskmaster.integration.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.QueueSelector;
import io.taskmaster.harness.hbase.HBaseCluster;
import io.taskmaster.harness.hbase.HBasePlan;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueKey;
import io.taskmaster.tests.Slow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests of kills under load, of the node and of the parts of its HBase: each once in every build; ten times, and all at
 * once, in the profile {@code slow}. After each, every acknowledged task is there, no dequeued one is, and counters
 * equal a scan.
 *
 * <p>System properties: {@code taskmaster.hbase.kills}, {@code taskmaster.seed}.
 */
@TestInstance(Lifecycle.PER_CLASS)
final class HBaseKillIT {

    private static final int KILLS = Integer.getInteger("taskmaster.hbase.kills", 1);
    private static final long SEED = Long.getLong("taskmaster.seed", System.nanoTime());
    private static final Duration LOAD = Duration.ofSeconds(8);
    private static final QueueKey PROBE = QueueKey.of("probe", "probe");

    @TempDir
    private static Path folder = Path.of("");

    private final SplittableRandom random = new SplittableRandom(SEED);
    private HBaseCluster hbase;
    private ServerProcess node;
    private TokenLoad load;

    @BeforeAll
    void start() throws InterruptedException {
        System.out.printf("seed %d%n", SEED);
        hbase = HBaseCluster.start(HBasePlan.in(folder.resolve("hbase")));
        node = ServerProcess.start(ServerPlan.in(folder)
                .withStore("hbase")
                .with("hbase.zookeeper", hbase.zookeeper())
                .with("hbase.regions", "4")
                .with("partitions", "32")
                .with("window.bytes", "2MiB"));
        load = new TokenLoad(node.target(), SEED);
    }

    @AfterAll
    void stop() {
        node.close();
        hbase.close();
    }

    @ParameterizedTest
    @EnumSource(names = "EVERYTHING", mode = EnumSource.Mode.EXCLUDE)
    void whatWasAcknowledgedSurvivesAKillOf(Victim victim) throws Exception {
        for (int round = 1; round <= KILLS; round++) {
            loadAndKill(victim);
            inspect(victim, round);
        }
    }

    @Slow
    @Test
    void whatWasAcknowledgedSurvivesAKillOfEverythingAtOnce() throws Exception {
        whatWasAcknowledgedSurvivesAKillOf(Victim.EVERYTHING);
    }

    private void loadAndKill(Victim victim) throws Exception {
        try (TokenLoad.Running workers = load.start()) {
            awaitAcknowledged(load.acknowledged() + random.nextInt(200, 3_000));
            victim.kill(node, hbase);
            pause(random.nextInt(0, 2_000));
            workers.stop();
        }
    }

    private void inspect(Victim victim, int round) throws InterruptedException {
        long startNanos = System.nanoTime();
        victim.revive(node, hbase);
        node.awaitServing();
        try (var client = load.patientClient()) {
            var blocking = client.blocking();
            blocking.enqueue(PROBE, Bytes.EMPTY);
            long millis = Duration.ofNanos(System.nanoTime() - startNanos).toMillis();
            blocking.delete(QueueSelector.of(PROBE));
            load.inspect(blocking);
            System.out.printf(
                    "kill %d of %s: %d operations acknowledged so far, %d tokens under way, an update acknowledged again after %d ms%n",
                    round, victim, load.acknowledged(), load.tokens(), millis);
        } catch (AssertionError | RuntimeException failure) {
            System.out.println(node.lastOutput());
            throw failure;
        }
        assertThat(node.isAlive()).isTrue();
    }

    /**
     * Waits for a number of acknowledged operations, so that there is load however slow the machine is; for 8 s at
     * most.
     */
    private void awaitAcknowledged(long operations) {
        long deadline = System.nanoTime() + LOAD.toNanos();
        while (load.acknowledged() < operations && System.nanoTime() < deadline) {
            pause(1);
        }
    }

    /** Pauses. The length of the pause is part of the test, not a way to wait for a condition. */
    private static void pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
