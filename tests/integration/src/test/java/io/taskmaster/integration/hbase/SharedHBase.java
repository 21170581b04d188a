package io.taskmaster.integration.hbase;

import io.taskmaster.harness.hbase.HBaseCluster;
import io.taskmaster.harness.hbase.HBasePlan;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * An extension with one HBase for all tests that do not damage it: started by the first, ended after the last. Each
 * test has tables of its own. Thread-safe.
 */
public final class SharedHBase implements BeforeAllCallback {

    private static final Namespace NAMESPACE = Namespace.create(SharedHBase.class);

    private static volatile String zookeeper = "";

    @Override
    public void beforeAll(ExtensionContext context) {
        Holder holder =
                context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent("hbase", _ -> Holder.start(), Holder.class);
        zookeeper = holder.cluster.zookeeper();
    }

    /** The address of its ZooKeeper. */
    public static String zookeeper() {
        return zookeeper;
    }

    private record Holder(HBaseCluster cluster) implements AutoCloseable {

        static Holder start() {
            try {
                Path folder = Files.createTempDirectory(Path.of("target"), "hbase-shared");
                return new Holder(HBaseCluster.start(HBasePlan.in(folder)));
            } catch (Exception failed) {
                throw new IllegalStateException("HBase did not start", failed);
            }
        }

        @Override
        public void close() {
            cluster.close();
        }
    }
}
