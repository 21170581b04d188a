package io.taskmaster.harness.hbase;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A plan for the start of an HBase. Immutable.
 *
 * @param folder the folder of its data, logs, settings and process ids
 * @param jars the folder of its jars
 * @param regionServers the number of region servers
 * @param syncsToDisk whether a write is on disk before it is acknowledged; otherwise it may be in the memory of the
 *     data node only
 * @param zookeeperPort the port on loopback; a free one if absent, as all other ports are
 * @param heapMegabytes the heap of a role, if it is more than its minimum
 * @param settings settings of HBase by key, which override ours
 * @param supervised whether an {@link HBaseCluster} restarts a process that ends by itself, as a service manager would:
 *     a region server and the master end when their ZooKeeper session has expired, after some seconds of silence
 */
public record HBasePlan(
        Path folder,
        Path jars,
        int regionServers,
        boolean syncsToDisk,
        OptionalInt zookeeperPort,
        Map<DaemonRole, Integer> heapMegabytes,
        Map<String, String> settings,
        boolean supervised) {

    /** The system property with the folder of the jars. */
    public static final String JARS_PROPERTY = "taskmaster.hbase.lib";

    public HBasePlan {
        folder = folder.toAbsolutePath().normalize();
        heapMegabytes = Map.copyOf(heapMegabytes);
        settings = Map.copyOf(settings);
        if (regionServers < 1) {
            throw new IllegalArgumentException("region servers: %d (expected: at least 1)".formatted(regionServers));
        }
        heapMegabytes.forEach(HBasePlan::requireEnough);
    }

    private static void requireEnough(DaemonRole daemonRole, int megabytes) {
        if (megabytes < daemonRole.heapMegabytes()) {
            throw new IllegalArgumentException("heap of a %s: %d MB (expected: at least %d)"
                    .formatted(daemonRole.label(), megabytes, daemonRole.heapMegabytes()));
        }
    }

    /**
     * Returns a plan with one region server, small heaps, and every write on disk; the jars are in the folder of
     * {@value #JARS_PROPERTY}.
     */
    public static HBasePlan in(Path folder) {
        String jars = System.getProperty(JARS_PROPERTY);
        if (jars == null) {
            throw new IllegalStateException(
                    "system property %s: not set (expected: the folder of HBase's jars, which a build of the module dist/hbase makes)"
                            .formatted(JARS_PROPERTY));
        }
        return new HBasePlan(folder, Path.of(jars), 1, true, OptionalInt.empty(), Map.of(), Map.of(), false);
    }

    /** Returns this plan with so many region servers. */
    public HBasePlan withRegionServers(int count) {
        return new HBasePlan(folder, jars, count, syncsToDisk, zookeeperPort, heapMegabytes, settings, supervised);
    }

    /** Returns this plan with writes that are acknowledged before they are on disk. */
    public HBasePlan withoutSync() {
        return new HBasePlan(folder, jars, regionServers, false, zookeeperPort, heapMegabytes, settings, supervised);
    }

    /** Returns this plan with ZooKeeper on this port of loopback. */
    public HBasePlan withZookeeperPort(int port) {
        return new HBasePlan(
                folder, jars, regionServers, syncsToDisk, OptionalInt.of(port), heapMegabytes, settings, supervised);
    }

    /** Returns this plan with another heap for all processes of a role. */
    public HBasePlan withHeap(DaemonRole daemonRole, int megabytes) {
        Map<DaemonRole, Integer> all = new EnumMap<>(DaemonRole.class);
        all.putAll(heapMegabytes);
        all.put(daemonRole, megabytes);
        return new HBasePlan(folder, jars, regionServers, syncsToDisk, zookeeperPort, all, settings, supervised);
    }

    /** Returns this plan with an additional setting of HBase. */
    public HBasePlan with(String key, String value) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put(key, value);
        return new HBasePlan(folder, jars, regionServers, syncsToDisk, zookeeperPort, heapMegabytes, all, supervised);
    }

    /** Returns this plan with processes that are restarted when they end by themselves. */
    public HBasePlan withSupervision() {
        return new HBasePlan(folder, jars, regionServers, syncsToDisk, zookeeperPort, heapMegabytes, settings, true);
    }

    int heapOf(DaemonRole daemonRole) {
        return heapMegabytes.getOrDefault(daemonRole, daemonRole.heapMegabytes());
    }
}
