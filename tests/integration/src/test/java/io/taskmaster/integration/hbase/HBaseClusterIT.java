package io.taskmaster.integration.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.harness.hbase.DaemonRole;
import io.taskmaster.harness.hbase.HBaseCluster;
import io.taskmaster.harness.hbase.HBasePlan;
import io.taskmaster.harness.hbase.HBaseProcess;
import io.taskmaster.tests.Slow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests of a development HBase with two region servers, each of whose processes fails in turn. Every test leaves the
 * cluster whole.
 */
@Slow
final class HBaseClusterIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** A time longer than ZooKeeper's session timeout of a region server. */
    private static final Duration LONG = Duration.ofSeconds(8);

    private static HBaseCluster hbase;
    private static Rows rows;

    @BeforeAll
    static void start(@TempDir Path folder) throws InterruptedException, IOException {
        hbase = HBaseCluster.start(HBasePlan.in(folder).withRegionServers(2).withSupervision());
        rows = Rows.at(hbase.zookeeper());
    }

    @AfterAll
    static void stop() throws IOException {
        if (rows != null) {
            rows.close();
        }
        if (hbase != null) {
            hbase.close();
        }
    }

    @BeforeEach
    void write() throws IOException {
        rows.write();
    }

    @AfterEach
    void isWholeAndHasLostNothing() throws InterruptedException, IOException {
        hbase.awaitReady();
        rows.write();
        assertThat(rows.read()).containsExactlyInAnyOrderElementsOf(rows.acknowledged());
    }

    @ParameterizedTest
    @EnumSource
    void takesWritesAgainWhicheverProcessIsKilledAndStarted(DaemonRole daemonRole) throws IOException {
        HBaseProcess process = hbase.process(daemonRole);
        long before = process.pid();
        process.kill();
        assertThat(process.isAlive()).isFalse();
        process.start();

        rows.write();
        assertThat(process.pid()).isNotEqualTo(before);
    }

    @Test
    void comesBackWhenEverythingWasKilledAtOnce() throws InterruptedException, IOException {
        hbase.killAll();
        assertThat(hbase.processes()).noneMatch(HBaseProcess::isAlive);
        hbase.revive();

        rows.write();
    }

    @Test
    void endsInGoodOrderAndStartsAgain() throws InterruptedException, IOException {
        assertThat(hbase.stop()).as("nothing had to be killed").isTrue();
        assertThat(hbase.processes()).noneMatch(HBaseProcess::isAlive);
        hbase.revive();

        rows.write();
    }

    @Test
    void writesWaitForADataNodeThatIsDownAndNobodyEndsForIt() {
        List<Integer> before = startsOfOthersThanTheDataNode();
        hbase.process(DaemonRole.DATA_NODE).kill();
        CompletableFuture<Void> write = CompletableFuture.runAsync(HBaseClusterIT::writeUnchecked);
        await().during(LONG).atMost(TIMEOUT).until(() -> !write.isDone());
        hbase.process(DaemonRole.DATA_NODE).start();

        await().atMost(TIMEOUT).until(write::isDone);
        assertThat(startsOfOthersThanTheDataNode()).isEqualTo(before);
    }

    @Test
    void aFrozenDataNodeHoldsWritesUpUntilItGoesOn() {
        List<Integer> before = startsOfOthersThanTheDataNode();
        hbase.process(DaemonRole.DATA_NODE).pause();
        CompletableFuture<Void> write = CompletableFuture.runAsync(HBaseClusterIT::writeUnchecked);
        await().during(Duration.ofSeconds(1)).atMost(TIMEOUT).until(() -> !write.isDone());
        hbase.process(DaemonRole.DATA_NODE).resume();

        await().atMost(TIMEOUT).until(write::isDone);
        assertThat(startsOfOthersThanTheDataNode()).isEqualTo(before);
    }

    @Test
    void theOtherRegionServerTakesOverFromOneThatIsFrozenWhichThenEndsAndIsStartedAgain() throws IOException {
        HBaseProcess frozen = hbase.process(DaemonRole.REGION_SERVER);
        int before = frozen.starts();
        frozen.pause();
        await().during(LONG).atMost(TIMEOUT).until(frozen::isAlive);
        rows.write();
        assertThat(frozen.starts()).isEqualTo(before);
        frozen.resume();

        await().atMost(TIMEOUT).until(() -> frozen.starts() == before + 1);
    }

    @Test
    void regionsMoveFromOneRegionServerToTheOther() throws IOException {
        rows.swapServers();

        rows.write();
    }

    private static void writeUnchecked() {
        try {
            rows.write();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Integer> startsOfOthersThanTheDataNode() {
        return hbase.processes().stream()
                .filter(process -> process.daemonRole() != DaemonRole.DATA_NODE)
                .map(HBaseProcess::starts)
                .toList();
    }
}
