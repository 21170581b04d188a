package io.taskmaster.examples.demo.process;

import java.nio.file.Path;
import java.util.List;

/** Where the server of the demo keeps its data. Immutable. */
public sealed interface DemoStore {

    /** What the server is told. */
    List<String> options();

    /**
     * On this machine's disk.
     *
     * @param folder nobody else's
     */
    record Embedded(Path folder) implements DemoStore {
        @Override
        public List<String> options() {
            return List.of("--store=rocksdb", "--data=" + folder);
        }
    }

    /**
     * In tables of the demo's own of an HBase that runs.
     *
     * @param zookeeper host and port
     */
    record HBase(String zookeeper) implements DemoStore {
        @Override
        public List<String> options() {
            // Whatever port the server has today, it is the same node, which need not wait until it is dead.
            return List.of(
                    "--store=hbase",
                    "--zookeeper=" + zookeeper,
                    "--set=hbase.table-prefix=taskmaster-demo.",
                    "--set=hbase.regions=4",
                    "--set=node.id=demo");
        }
    }
}
