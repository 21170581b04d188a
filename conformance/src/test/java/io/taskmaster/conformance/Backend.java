package io.taskmaster.conformance;

import io.taskmaster.testkit.hbase.HBaseCluster;
import io.taskmaster.testkit.hbase.HBasePlan;
import io.taskmaster.testkit.process.ServerPlan;
import java.nio.file.Path;
import java.util.List;

/** What the servers of a run keep their data in, by the system property {@value #PROPERTY}. Closing it ends what of it runs. Thread-safe. */
interface Backend extends AutoCloseable {

    /** Says which: {@code rocksdb}, which is the default, or {@code hbase}. */
    String PROPERTY = "taskmaster.conformance.store";

    /** The one that the property asks for. Blocks until it takes work. */
    static Backend start(Path folder) throws InterruptedException {
        String name = System.getProperty(PROPERTY, "rocksdb");
        return switch (name) {
            case "rocksdb" -> new RocksDb();
            case "hbase" -> new HBase(HBaseCluster.start(HBasePlan.in(folder)));
            default ->
                throw new IllegalArgumentException("%s: %s (expected: rocksdb or hbase)".formatted(PROPERTY, name));
        };
    }

    /** What it is called. */
    String name();

    /** The same server on it. */
    ServerPlan under(ServerPlan server);

    /** What comes between the flags of a JVM and those of a server whose data are its folder's. */
    List<String> program();

    /** How many cases want a disk that is the server's own. */
    int casesWithoutDisk();

    @Override
    void close();

    /** In each server's own process. */
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
        public List<String> program() {
            return List.of("io.taskmaster.server.cli.Main", "server");
        }

        @Override
        public int casesWithoutDisk() {
            return 0;
        }

        @Override
        public void close() {}
    }

    /**
     * In tables of each server's own.
     *
     * @param cluster where they are
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
        public List<String> program() {
            return List.of(HBaseServer.class.getName(), cluster.zookeeper());
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
