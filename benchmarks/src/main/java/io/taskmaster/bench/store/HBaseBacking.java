package io.taskmaster.bench.store;

import io.taskmaster.bench.report.Subject;
import io.taskmaster.harness.hbase.HBaseCluster;
import io.taskmaster.harness.hbase.HBasePlan;
import io.taskmaster.server.config.NodeSetting;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;

/**
 * An HBase cluster: one started for the run, or one that runs already, with tables of the run's own. Each server gets
 * new tables. Single-threaded: owned by the run.
 */
public final class HBaseBacking implements Backing {

    /** The name of this kind of store in the settings of a server. */
    public static final String STORE = "hbase";

    /** The HBase setting that decides whether a write is synced if the client does not ask for a sync. */
    private static final String HSYNC = "hbase.wal.hsync";

    private final HBaseTerms terms;
    private final String zookeeper;
    private final Optional<HBaseCluster> own;
    private final HBaseClient client;
    private int uses;

    private HBaseBacking(HBaseTerms terms, String zookeeper, Optional<HBaseCluster> own) {
        this.terms = terms;
        this.zookeeper = zookeeper;
        this.own = own;
        this.client = HBaseClient.connect(zookeeper);
    }

    /** Starts a cluster for the run and returns once it accepts work. Blocks. */
    public static HBaseBacking start(HBasePlan plan, HBaseTerms terms) throws InterruptedException {
        HBaseCluster cluster = HBaseCluster.start(terms.isSynced() ? plan : plan.withoutSync());
        try {
            return new HBaseBacking(terms, cluster.zookeeper(), Optional.of(cluster));
        } catch (RuntimeException failed) {
            cluster.close();
            throw failed;
        }
    }

    /** Uses a cluster that runs. Blocks until it answers. */
    public static HBaseBacking at(String zookeeper, HBaseTerms terms) {
        return new HBaseBacking(terms, zookeeper, Optional.empty());
    }

    @Override
    public String store() {
        return STORE;
    }

    @Override
    public Subject subject() {
        Subject subject = Subject.of(STORE)
                .withSetting(NodeSetting.HBASE_DURABILITY.key(), terms.durable())
                .withSetting(NodeSetting.HBASE_REGIONS.key(), String.valueOf(terms.regions()))
                .withVersion("hbase", client.version());
        // The setting of a cluster that was not started here cannot be read.
        return own.isPresent() ? subject.withSetting(HSYNC, String.valueOf(terms.isSynced())) : subject;
    }

    @Override
    public RawStore openRaw(Path emptyFolder) {
        return RawHBase.create(client, TableName.valueOf(freshPrefix() + "raw"), terms.regions(), terms.durability());
    }

    @Override
    public Map<String, String> freshSettings() {
        return Map.of(
                NodeSetting.HBASE_ZOOKEEPER.key(), zookeeper,
                NodeSetting.HBASE_TABLE_PREFIX.key(), freshPrefix(),
                NodeSetting.HBASE_REGIONS.key(), String.valueOf(terms.regions()),
                NodeSetting.HBASE_DURABILITY.key(), terms.durable());
    }

    private String freshPrefix() {
        return terms.prefix() + uses++ + ".";
    }

    /** Ends the cluster of this run, or drops this run's tables from one that ran before. */
    @Override
    public void close() {
        try (client) {
            if (own.isEmpty()) {
                client.dropAll(terms.prefix());
            }
        } finally {
            own.ifPresent(HBaseCluster::close);
        }
    }
}
