package io.taskmaster.testkit.fault;

import io.taskmaster.testkit.hbase.HBaseCluster;
import io.taskmaster.testkit.hbase.HBaseProcess;
import io.taskmaster.testkit.hbase.Role;

/**
 * An HBase as a target of faults: its data node, and its first region server. It recovers by itself if it is
 * {@linkplain io.taskmaster.testkit.hbase.HBasePlan#withSupervision() supervised}: a region server that was frozen for long ends when it
 * goes on, since it was given up. Thread-safe.
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

    /** Every region can be read, and a table be made and written. */
    @Override
    public void awaitRecovery(Fault.OfStore fault) throws InterruptedException {
        hbase.awaitReady();
    }

    private HBaseProcess victim(Fault.OfStore fault) {
        return hbase.process(
                switch (fault) {
                    case Fault.KillRegionServer _, Fault.StopRegionServer _ -> Role.REGION_SERVER;
                    case Fault.KillDataNode _, Fault.StopDataNode _ -> Role.DATA_NODE;
                });
    }
}
