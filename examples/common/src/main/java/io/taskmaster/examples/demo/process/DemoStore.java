package io.taskmaster.examples.demo.process;

import java.nio.file.Path;
import java.util.List;

/** The store of the demo's server. Immutable. */
public sealed interface DemoStore {

    /** Returns the options of the server. */
    List<String> options();

    /**
     * A store on the local disk.
     *
     * @param folder for this store alone
     */
    record Embedded(Path folder) implements DemoStore {
        @Override
        public List<String> options() {
            return List.of("--store=rocksdb", "--data=" + folder);
        }
    }

    /**
     * A store in tables of the demo's own, in an HBase that runs.
     *
     * @param zookeeper host and port
     */
    record HBase(String zookeeper) implements DemoStore {
        @Override
        public List<String> options() {
            // Whatever port the server has in this run, it is the same node, and need not wait until its former self is
            // dead.
            return List.of(
                    "--store=hbase",
                    "--zookeeper=" + zookeeper,
                    "--set=hbase.table-prefix=taskmaster-demo.",
                    "--set=hbase.regions=4",
                    "--set=node.id=demo");
        }
    }
}
