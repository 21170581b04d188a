package io.taskmaster.testkit.chaos;

import io.taskmaster.testkit.fault.HBaseFaults;
import io.taskmaster.testkit.fault.ProcessFaults;
import io.taskmaster.testkit.hbase.HBaseCluster;
import io.taskmaster.testkit.hbase.HBaseException;
import io.taskmaster.testkit.hbase.HBasePlan;
import io.taskmaster.testkit.hbase.HBaseProcess;
import io.taskmaster.testkit.process.ServerPlan;
import io.taskmaster.testkit.process.ServerProcess;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/** An HBase of the run's own, whose processes are restarted when they end by themselves. Thread-safe. */
final class HBase implements ChaosStore {

    /**
     * The number of regions: few, as the partitions of a run are, since each is reopened whenever the region server is
     * replaced.
     */
    private static final int REGIONS = 4;

    private final HBaseCluster cluster;

    private HBase(HBaseCluster cluster) {
        this.cluster = cluster;
    }

    static HBase start(Path folder) throws InterruptedException {
        try {
            return new HBase(HBaseCluster.start(HBasePlan.in(folder).withSupervision()));
        } catch (HBaseException | IllegalStateException failed) {
            throw new ChaosException(String.valueOf(failed.getMessage()), failed);
        }
    }

    @Override
    public ServerPlan under(ServerPlan server) {
        return server.withStore("hbase")
                .with("hbase.zookeeper", cluster.zookeeper())
                .with("hbase.regions", Integer.toString(REGIONS));
    }

    @Override
    public ProcessFaults exposedTo(ProcessFaults faults, ServerProcess server) {
        return faults.withStore(new HBaseFaults(cluster));
    }

    @Override
    public void awaitReady() throws InterruptedException {
        cluster.awaitReady();
    }

    @Override
    public Map<String, Integer> starts() {
        return cluster.processes().stream().collect(Collectors.toMap(HBaseProcess::name, HBaseProcess::starts));
    }

    @Override
    public void close() {
        cluster.close();
    }
}
