package io.taskmaster.harness.chaos;

import io.taskmaster.harness.fault.HBaseFaults;
import io.taskmaster.harness.fault.ProcessFaults;
import io.taskmaster.harness.hbase.HBaseCluster;
import io.taskmaster.harness.hbase.HBaseException;
import io.taskmaster.harness.hbase.HBasePlan;
import io.taskmaster.harness.hbase.HBaseProcess;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
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
