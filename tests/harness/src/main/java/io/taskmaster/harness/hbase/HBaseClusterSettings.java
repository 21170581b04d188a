package io.taskmaster.harness.hbase;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The settings in the site files of a development HBase. Immutable.
 *
 * <p>Everything is on loopback and known by address, so that it does not matter whether this machine's own name
 * resolves. A death is noticed within seconds. Processes that need a part that is down wait for minutes, so that the
 * part can be started again. Pauses that are meant for large clusters are short.
 */
record HBaseClusterSettings(HBasePlan plan, Ports ports) {

    private static final String LOOPBACK = "127.0.0.1";

    /** The port setting by which Hadoop and HBase let a process choose any port: no client connects to it. */
    private static final String ANY_PORT = ":0";

    /** The length of an outage that the daemons endure. */
    private static final int MAX_OUTAGE_SECONDS = 300;

    /** Returns the settings of all file systems. */
    SortedMap<String, String> core(HBaseFolder folder) {
        SortedMap<String, String> core = new TreeMap<>();
        core.put("fs.defaultFS", fileSystem());
        core.put("hadoop.tmp.dir", folder.temporary().toString());
        core.put("ipc.client.connect.retry.interval", "200");
        core.put("ipc.client.connect.max.retries", Integer.toString(MAX_OUTAGE_SECONDS * 5));
        return core;
    }

    /** Returns the settings of HDFS. */
    SortedMap<String, String> hdfs(HBaseFolder folder) {
        SortedMap<String, String> hdfs = new TreeMap<>();
        hdfs.put("dfs.namenode.rpc-address", address(ports.nameNode()));
        hdfs.put("dfs.namenode.http-address", LOOPBACK + ANY_PORT);
        hdfs.put("dfs.namenode.name.dir", folder.nameNodeData().toString());
        hdfs.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
        hdfs.put("dfs.namenode.safemode.extension", "0");
        hdfs.put("dfs.namenode.accesstime.precision", "0");
        hdfs.put("dfs.datanode.hostname", LOOPBACK);
        hdfs.put("dfs.datanode.address", address(ports.dataNode()));
        hdfs.put("dfs.datanode.ipc.address", address(ports.dataNodeCalls()));
        hdfs.put("dfs.datanode.http.address", LOOPBACK + ANY_PORT);
        hdfs.put("dfs.datanode.data.dir", folder.dataNodeData().toString());
        // A flushed file must be as durable as the log that it makes superfluous.
        hdfs.put("dfs.datanode.synconclose", Boolean.toString(plan.syncsToDisk()));
        hdfs.put("dfs.permissions.enabled", "false");
        hdfs.put("dfs.replication", "1");
        hdfs.put("dfs.client.block.write.replace-datanode-on-failure.enable", "false");
        hdfs.put("dfs.heartbeat.interval", "1");
        hdfs.put("dfs.namenode.heartbeat.recheck-interval", "2000");
        hdfs.put("dfs.client.retry.policy.enabled", "true");
        hdfs.put("dfs.client.retry.policy.spec", "200," + MAX_OUTAGE_SECONDS * 5);
        // A file is complete as soon as the data node has reported it, which takes a millisecond or two: look again
        // after 5 ms, not 400.
        hdfs.put("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "5");
        hdfs.put("dfs.client.block.write.locateFollowingBlock.retries", "12");
        return hdfs;
    }

    /** Returns the settings of HBase and ZooKeeper; those of the plan override ours. */
    SortedMap<String, String> hbase(HBaseFolder folder) {
        SortedMap<String, String> hbase = new TreeMap<>();
        hbase.put("hbase.cluster.distributed", "true");
        hbase.put("hbase.rootdir", fileSystem() + "/hbase");
        // Otherwise the whole environment is written to the logs.
        hbase.put("hbase.envvars.logging.disabled", "true");
        hbase.put("hbase.tmp.dir", folder.temporary().toString());
        hbase.put("hbase.wal.hsync", Boolean.toString(plan.syncsToDisk()));
        hbase.put("hbase.master.store.region.wal.hsync", Boolean.toString(plan.syncsToDisk()));
        addresses(hbase, folder);
        promptness(hbase);
        outages(hbase);
        hbase.putAll(plan.settings());
        return hbase;
    }

    private void addresses(Map<String, String> hbase, HBaseFolder folder) {
        hbase.put("hbase.zookeeper.quorum", LOOPBACK);
        hbase.put("hbase.zookeeper.property.clientPort", Integer.toString(ports.zookeeper()));
        hbase.put("hbase.zookeeper.property.clientPortAddress", LOOPBACK);
        hbase.put("hbase.zookeeper.property.dataDir", folder.zookeeperData().toString());
        hbase.put("hbase.zookeeper.property.admin.enableServer", "false");
        hbase.put("hbase.master.hostname", LOOPBACK);
        hbase.put("hbase.master.ipc.address", LOOPBACK);
        hbase.put("hbase.master.port", Integer.toString(ports.master()));
        hbase.put("hbase.master.info.port", "-1");
        // The port of a region server is on its command line: there may be several.
        hbase.put("hbase.unsafe.regionserver.hostname", LOOPBACK);
        hbase.put("hbase.regionserver.ipc.address", LOOPBACK);
        hbase.put("hbase.regionserver.info.port", "-1");
    }

    private void promptness(Map<String, String> hbase) {
        hbase.put("zookeeper.session.timeout", "5000");
        hbase.put("hbase.zookeeper.property.tickTime", "500");
        String regionServers = Integer.toString(plan.regionServers());
        hbase.put("hbase.master.wait.on.regionservers.maxtostart", regionServers);
        hbase.put("hbase.master.wait.on.regionservers.mintostart", "1");
        hbase.put("hbase.master.wait.on.regionservers.interval", "100");
        // The master counts a region server only once it has reported.
        hbase.put("hbase.regionserver.msginterval", "500");
        hbase.put("hbase.server.thread.wakefrequency", "500");
        // Unless they are set, these follow the wake-up frequency above.
        hbase.put("hbase.regionserver.compaction.check.period", "10000");
        hbase.put("hbase.regionserver.flush.check.period", "10000");
        // The first file of all is written as soon as there is a data node; the pause between attempts follows the
        // wake-up frequency above.
        hbase.put("hbase.server.versionfile.writeattempts", Integer.toString(MAX_OUTAGE_SECONDS));
        // A region server that was replaced while it was frozen waits for its log in vain before it ends.
        hbase.put("hbase.regionserver.abort.timeout", "10000");
        hbase.put("hbase.procedure.remote.dispatcher.delay.msec", "10");
        hbase.put("hbase.assignment.dispatch.wait.msec", "10");
        hbase.put("hbase.lease.recovery.first.pause", "200");
        hbase.put("hbase.lease.recovery.pause", "200");
        hbase.put("hbase.lease.recovery.dfs.timeout", "5000");
    }

    /**
     * Adds tolerance of outages: otherwise master and region server end themselves while the data node or ZooKeeper is
     * down.
     */
    private static void outages(Map<String, String> hbase) {
        // A data node that failed once is avoided for six hours, and there is no other.
        hbase.put("hbase.regionserver.async.wal.max.exclude.datanode.count", "0");
        String seconds = Integer.toString(MAX_OUTAGE_SECONDS);
        hbase.put("hbase.regionserver.logroll.retries", seconds);
        hbase.put("hbase.regionserver.logroll.wait.timeout.ms", seconds + "000");
        hbase.put("hbase.hstore.flush.retries.number", seconds);
        hbase.put("zookeeper.recovery.retry", seconds);
        hbase.put("zookeeper.recovery.retry.maxsleeptime", "1000");
    }

    private String fileSystem() {
        return "hdfs://" + address(ports.nameNode());
    }

    private static String address(int port) {
        return LOOPBACK + ":" + port;
    }
}
