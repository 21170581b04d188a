package io.taskmaster.integration.hbase;

import io.taskmaster.harness.hbase.DaemonRole;
import io.taskmaster.harness.hbase.HBaseCluster;
import io.taskmaster.harness.process.ServerProcess;

/** A part of the cluster that is killed without warning, and the way to restart it. */
enum Victim {
    NODE {
        @Override
        void kill(ServerProcess node, HBaseCluster hbase) {
            node.kill();
        }

        @Override
        void revive(ServerProcess node, HBaseCluster hbase) {
            node.start();
        }
    },
    REGION_SERVER {
        @Override
        void kill(ServerProcess node, HBaseCluster hbase) {
            hbase.process(DaemonRole.REGION_SERVER).kill();
        }

        @Override
        void revive(ServerProcess node, HBaseCluster hbase) {
            hbase.process(DaemonRole.REGION_SERVER).start();
        }
    },
    DATA_NODE {
        @Override
        void kill(ServerProcess node, HBaseCluster hbase) {
            hbase.process(DaemonRole.DATA_NODE).kill();
        }

        // Without a data node a region server may end; every process that did is restarted, as by a supervisor.
        @Override
        void revive(ServerProcess node, HBaseCluster hbase) throws InterruptedException {
            hbase.revive();
        }
    },
    EVERYTHING {
        @Override
        void kill(ServerProcess node, HBaseCluster hbase) {
            node.kill();
            hbase.killAll();
        }

        @Override
        void revive(ServerProcess node, HBaseCluster hbase) throws InterruptedException {
            hbase.revive();
            hbase.awaitReady();
            node.start();
        }
    };

    abstract void kill(ServerProcess node, HBaseCluster hbase);

    abstract void revive(ServerProcess node, HBaseCluster hbase) throws InterruptedException;
}
