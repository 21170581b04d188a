package io.taskmaster.integration.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.harness.hbase.HBaseCluster;
import io.taskmaster.harness.hbase.HBasePlan;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import io.taskmaster.tests.Slow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of moves, splits, flushes and compactions of regions under load: clients notice only their latency. */
@Slow
final class RegionsIT {

    private static final List<String> TABLES = List.of("tasks", "delayed", "log", "meta");
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    private Path folder = Path.of("");

    @Test
    void movesSplitsFlushesAndMajorCompactionsGoUnnoticed() throws Exception {
        try (HBaseCluster hbase =
                        HBaseCluster.start(HBasePlan.in(folder.resolve("hbase")).withRegionServers(2));
                ServerProcess node = ServerProcess.start(ServerPlan.in(folder)
                        .withStore("hbase")
                        .with("hbase.zookeeper", hbase.zookeeper())
                        .with("hbase.regions", "2")
                        .with("partitions", "16"));
                AsyncConnection connection = ConnectionFactory.createAsyncConnection(configuration(hbase))
                        .get();
                GroupLoad load = GroupLoad.start(node.target(), Duration.ofSeconds(30), 10)) {
            AsyncAdmin admin = connection.getAdmin();
            for (String name : TABLES) {
                TableName table = TableName.valueOf("taskmaster." + name);
                moveAll(admin, table);
                worksOn(load);
                admin.flush(table).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                worksOn(load);
                splitOne(admin, table);
                worksOn(load);
                admin.majorCompact(table).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                await().atMost(LIMIT)
                        .until(() -> admin.getCompactionState(table).get() == CompactionState.NONE);
                worksOn(load);
            }
            System.out.printf(
                    "%d calls, longest %d ms, failures %s%n",
                    load.calls(), load.maxGap().toMillis(), load.failures());
            assertThat(load.failures()).isEmpty();
        }
    }

    private static Configuration configuration(HBaseCluster hbase) {
        Configuration configuration = HBaseConfiguration.create();
        configuration.set(HConstants.ZOOKEEPER_QUORUM, hbase.zookeeper());
        return configuration;
    }

    /** Moves every region to the other server. */
    private static void moveAll(AsyncAdmin admin, TableName table) throws Exception {
        List<ServerName> servers = new ArrayList<>(admin.getRegionServers().get());
        for (RegionInfo region : admin.getRegions(table).get()) {
            List<RegionInfo> onFirst = admin.getRegions(servers.getFirst()).get();
            ServerName other = onFirst.contains(region) ? servers.getLast() : servers.getFirst();
            admin.move(region.getEncodedNameAsBytes(), other).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static void splitOne(AsyncAdmin admin, TableName table) throws Exception {
        List<RegionInfo> before = admin.getRegions(table).get();
        RegionInfo region = before.getFirst();
        admin.splitRegion(region.getRegionName(), new byte[] {0, 4}).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        await().atMost(LIMIT).until(() -> admin.getRegions(table).get().size() > before.size());
    }

    private static void worksOn(GroupLoad load) {
        long before = load.calls();
        await().atMost(LIMIT).until(() -> load.calls() > before + 50);
    }
}
