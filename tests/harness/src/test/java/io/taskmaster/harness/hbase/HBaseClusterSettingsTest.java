package io.taskmaster.harness.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

final class HBaseClusterSettingsTest {

    private static final Ports PORTS = new Ports(20_001, 20_002, 20_003, 20_004, 20_005, List.of(20_006, 20_007));
    private static final HBaseFolder FOLDER = new HBaseFolder(Path.of("/somewhere"));

    private final HBasePlan plan =
            new HBasePlan(FOLDER.root(), Path.of("jars"), 2, true, OptionalInt.empty(), Map.of(), Map.of(), false);

    @Test
    void everybodyListensOnLoopbackOnly() {
        Map<String, String> addresses = new HashMap<>(all(plan));
        addresses.keySet().removeIf(key -> !key.matches(".*([.-]address|Address|hostname|quorum|defaultFS|rootdir)"));

        assertThat(addresses).hasSizeGreaterThan(12);
        assertThat(addresses.values()).allMatch(value -> value.matches("(hdfs://)?127\\.0\\.0\\.1(:\\d+)?(/hbase)?"));
    }

    @Test
    void everythingIsInTheFolder() {
        assertThat(all(plan).values().stream().filter(value -> value.startsWith("/")))
                .hasSizeGreaterThan(4)
                .allMatch(value -> value.startsWith(FOLDER.root() + "/"));
    }

    @Test
    void whatIsAcknowledgedIsOnTheDiskUnlessToldOtherwise() {
        List<String> syncs =
                List.of("hbase.wal.hsync", "hbase.master.store.region.wal.hsync", "dfs.datanode.synconclose");

        assertThat(syncs).allSatisfy(key -> assertThat(all(plan)).containsEntry(key, "true"));
        assertThat(syncs).allSatisfy(key -> assertThat(all(plan.withoutSync())).containsEntry(key, "false"));
    }

    @Test
    void thePlanHasTheLastWord() {
        HBasePlan slower = plan.with("zookeeper.session.timeout", "60000").with("hbase.new", "1");

        assertThat(all(slower))
                .containsEntry("zookeeper.session.timeout", "60000")
                .containsEntry("hbase.new", "1");
    }

    private static Map<String, String> all(HBasePlan plan) {
        HBaseClusterSettings settings = new HBaseClusterSettings(plan, PORTS);
        Map<String, String> all = new HashMap<>(settings.core(FOLDER));
        all.putAll(settings.hdfs(FOLDER));
        all.putAll(settings.hbase(FOLDER));
        return all;
    }
}
