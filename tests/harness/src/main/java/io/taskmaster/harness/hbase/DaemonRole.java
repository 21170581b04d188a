package io.taskmaster.harness.hbase;

import java.util.List;

/** A role of a process of an HBase. In the order of their start; they stop in the opposite one. */
public enum DaemonRole {
    /** The index of the files of HDFS, and of the locations of their blocks. */
    NAME_NODE("namenode", "org.apache.hadoop.hdfs.server.namenode.NameNode", "", 128),
    /** The storage of the blocks. */
    DATA_NODE("datanode", "org.apache.hadoop.hdfs.server.datanode.DataNode", "", 128),
    /** The first address of clients, and the detector of dead processes. */
    ZOOKEEPER("zookeeper", "org.apache.hadoop.hbase.zookeeper.HQuorumPeer", "start", 64),
    /** The process that assigns regions and creates tables. */
    MASTER("master", "org.apache.hadoop.hbase.master.HMaster", "start", 256),
    /** A process that reads and writes rows. */
    REGION_SERVER("regionserver", "org.apache.hadoop.hbase.regionserver.HRegionServer", "start", 512);

    private final String label;
    private final String mainClass;
    private final String argument;
    private final int heapMegabytes;

    DaemonRole(String label, String mainClass, String argument, int heapMegabytes) {
        this.label = label;
        this.mainClass = mainClass;
        this.argument = argument;
        this.heapMegabytes = heapMegabytes;
    }

    /** Returns its name in one word, as in the names of its files. */
    public String label() {
        return label;
    }

    String mainClass() {
        return mainClass;
    }

    List<String> arguments() {
        return argument.isEmpty() ? List.of() : List.of(argument);
    }

    /** Returns its minimal heap, which is also its default. */
    public int heapMegabytes() {
        return heapMegabytes;
    }

    /** Returns whether it is on the path of every read or write, so that its code is worth compiling well. */
    boolean isHot() {
        return this == DATA_NODE || this == REGION_SERVER;
    }
}
