package io.taskmaster.harness.fault;

import io.taskmaster.harness.hbase.DaemonRole;
import io.taskmaster.harness.hbase.HBaseCluster;
import io.taskmaster.harness.hbase.HBaseProcess;

/**
 * A target for faults of an HBase: of its data node, and of its first region server. Thread-safe.
 *
 * <p>It recovers by itself if it is {@linkplain io.taskmaster.harness.hbase.HBasePlan#withSupervision() supervised}: a
 * region server that was frozen for long has been replaced, and ends when it goes on.
 */
public final class HBaseFaults implements FaultTarget<Fault.OfStore> {

    private final HBaseCluster hbase;

    public HBaseFaults(HBaseCluster hbase) {
        this.hbase = hbase;
    }

    @Override
    public void strike(Fault.OfStore fault) {
        switch (fault) {
            case Fault.KillRegionServer _, Fault.KillDataNode _ -> victim(fault).kill();
            case Fault.StopRegionServer _, Fault.StopDataNode _ -> victim(fault).pause();
        }
    }

    @Override
    public void heal(Fault.OfStore fault) {
        switch (fault) {
            case Fault.KillRegionServer _, Fault.KillDataNode _ -> victim(fault).start();
            case Fault.StopRegionServer _, Fault.StopDataNode _ -> victim(fault).resume();
        }
    }

    /** Waits until every region can be read, and a table can be created and written. */
    @Override
    public void awaitRecovery(Fault.OfStore fault) throws InterruptedException {
        hbase.awaitReady();
    }

    private HBaseProcess victim(Fault.OfStore fault) {
        return hbase.process(
                switch (fault) {
                    case Fault.KillRegionServer _, Fault.StopRegionServer _ -> DaemonRole.REGION_SERVER;
                    case Fault.KillDataNode _, Fault.StopDataNode _ -> DaemonRole.DATA_NODE;
                });
    }
}
