package io.taskmaster.bench;

import io.taskmaster.bench.store.Backing;
import io.taskmaster.bench.store.HBaseBacking;
import io.taskmaster.bench.store.HBaseTerms;
import io.taskmaster.harness.hbase.DaemonRole;
import io.taskmaster.harness.hbase.HBasePlan;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that are valid only with {@code --store hbase}. */
final class HBaseOptions {

    private static final int DEFAULT_REGIONS = 16;
    private static final int DEFAULT_HEAP_MEGABYTES = 1024;

    @Option(
            names = "--zookeeper",
            paramLabel = "HOST:PORT",
            description = "With --store hbase: ZooKeeper of a running HBase, in which tables are created and dropped"
                    + " again (default: an HBase of its own).")
    private @Nullable String zookeeper;

    @Option(
            names = "--no-sync",
            negatable = true,
            description = "With --store hbase: acknowledge writes before they are on disk, in HBase and in the"
                    + " server (hbase.wal.hsync=false, hbase.durability=sync).")
    private boolean sync = true;

    @Option(
            names = "--regions",
            paramLabel = "N",
            description = "With --store hbase: regions per table (default: " + DEFAULT_REGIONS + ").")
    private @Nullable Integer regions;

    @Option(
            names = "--region-server-heap",
            paramLabel = "MB",
            description = "With --store hbase: heap of the region server of its own HBase, in megabytes (default: "
                    + DEFAULT_HEAP_MEGABYTES + ").")
    private @Nullable Integer heapMegabytes;

    /**
     * Returns the opener of an HBase: the one that runs at the given address, or a new one for this run.
     *
     * @param run the name of the run, unique among all runs
     * @param progress receives a line before a step that takes long
     * @throws IllegalArgumentException if the options contradict each other
     */
    Backing.Opener opener(String run, Consumer<String> progress) {
        HBaseTerms terms =
                new HBaseTerms(sync, regions == null ? DEFAULT_REGIONS : regions, "bench-%s-".formatted(run));
        String address = zookeeper;
        if (address != null) {
            require(heapMegabytes == null, "--region-server-heap: given (expected: absent with --zookeeper)");
            return _ -> HBaseBacking.at(address, terms);
        }
        int heap = heapMegabytes == null ? DEFAULT_HEAP_MEGABYTES : heapMegabytes;
        int minHeap = DaemonRole.REGION_SERVER.heapMegabytes();
        require(heap >= minHeap, "--region-server-heap: %d (expected: at least %d)".formatted(heap, minHeap));
        return folder -> {
            progress.accept("HBase");
            return HBaseBacking.start(HBasePlan.in(folder).withHeap(DaemonRole.REGION_SERVER, heap), terms);
        };
    }

    /**
     * Checks that none of these options is given, since the store is another.
     *
     * @throws IllegalArgumentException if one is given
     */
    void requireNone() {
        require(
                zookeeper == null && sync && regions == null && heapMegabytes == null,
                "--zookeeper, --no-sync, --regions, --region-server-heap: one is given (expected: only with --store"
                        + " hbase)");
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
