package io.taskmaster.testkit.hbase;

import java.util.List;

/** What a process of an HBase does. In the order in which they are started; they end in the opposite one. */
public enum Role {
    /** Knows which files HDFS holds, and where their blocks are. */
    NAME_NODE("namenode", "org.apache.hadoop.hdfs.server.namenode.NameNode", "", 128),
    /** Holds the blocks. */
    DATA_NODE("datanode", "org.apache.hadoop.hdfs.server.datanode.DataNode", "", 128),
    /** Where clients look first, and where everybody's death is noticed. */
    ZOOKEEPER("zookeeper", "org.apache.hadoop.hbase.zookeeper.HQuorumPeer", "start", 64),
    /** Assigns regions, makes tables. */
    MASTER("master", "org.apache.hadoop.hbase.master.HMaster", "start", 256),
    /** Reads and writes rows. */
    REGION_SERVER("regionserver", "org.apache.hadoop.hbase.regionserver.HRegionServer", "start", 512);

    private final String label;
    private final String mainClass;
    private final String argument;
    private final int heapMegabytes;

    Role(String label, String mainClass, String argument, int heapMegabytes) {
        this.label = label;
        this.mainClass = mainClass;
        this.argument = argument;
        this.heapMegabytes = heapMegabytes;
    }

    /** In one word, as in the names of its files. */
    public String label() {
        return label;
    }

    String mainClass() {
        return mainClass;
    }

    List<String> arguments() {
        return argument.isEmpty() ? List.of() : List.of(argument);
    }

    /** What it needs at least, and gets unless a plan says otherwise. */
    public int heapMegabytes() {
        return heapMegabytes;
    }

    /** Whether what it does is on the way of every read or write, so that its code is worth compiling well. */
    boolean isHot() {
        return this == DATA_NODE || this == REGION_SERVER;
    }
}
