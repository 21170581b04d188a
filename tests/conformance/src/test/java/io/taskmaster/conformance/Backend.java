package io.taskmaster.conformance;

import io.taskmaster.harness.hbase.HBaseCluster;
import io.taskmaster.harness.hbase.HBasePlan;
import io.taskmaster.harness.process.JvmCommand;
import io.taskmaster.harness.process.ServerPlan;
import java.nio.file.Path;
import java.util.List;

/**
 * A store for the servers of a run, chosen by the system property {@value #PROPERTY}. Closing it ends its processes.
 * Thread-safe.
 */
interface Backend extends AutoCloseable {

    /** The system property that names the store: {@code rocksdb}, the default, or {@code hbase}. */
    String PROPERTY = "taskmaster.conformance.store";

    /** Starts the store that the property names. Blocks until it accepts work. */
    static Backend start(Path folder) throws InterruptedException {
        String name = System.getProperty(PROPERTY, "rocksdb");
        return switch (name) {
            case "rocksdb" -> new RocksDb();
            case "hbase" -> new HBase(HBaseCluster.start(HBasePlan.in(folder)));
            default ->
                throw new IllegalArgumentException("%s: %s (expected: rocksdb or hbase)".formatted(PROPERTY, name));
        };
    }

    /** The name of the store. */
    String name();

    /** Returns the plan of the same server on this store. */
    ServerPlan under(ServerPlan server);

    /** Returns the beginning of a server's command line, to which the flags that name its data folder are added. */
    JvmCommand program();

    /** The number of cases that need a local disk of the server, and are skipped without one. */
    int casesWithoutDisk();

    @Override
    void close();

    /** A store in the process of each server. */
    record RocksDb() implements Backend {
        @Override
        public String name() {
            return "rocksdb";
        }

        @Override
        public ServerPlan under(ServerPlan server) {
            return server;
        }

        @Override
        public JvmCommand program() {
            return JvmCommand.of("io.taskmaster.cli.Main", List.of("server"));
        }

        @Override
        public int casesWithoutDisk() {
            return 0;
        }

        @Override
        public void close() {}
    }

    /**
     * A store with tables for each server.
     *
     * @param cluster the HBase with the tables
     */
    record HBase(HBaseCluster cluster) implements Backend {
        @Override
        public String name() {
            return "hbase";
        }

        @Override
        public ServerPlan under(ServerPlan server) {
            return server.withStore("hbase").with("hbase.zookeeper", cluster.zookeeper());
        }

        @Override
        public JvmCommand program() {
            return JvmCommand.of(HBaseServer.class.getName(), List.of(cluster.zookeeper()));
        }

        @Override
        public int casesWithoutDisk() {
            return 2;
        }

        @Override
        public void close() {
            cluster.close();
        }
    }
}
