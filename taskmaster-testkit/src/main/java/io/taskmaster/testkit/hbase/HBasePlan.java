package io.taskmaster.testkit.hbase;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * How an HBase is started. Immutable.
 *
 * @param folder for its data, logs, settings and process ids
 * @param jars the folder of the jars that it consists of
 * @param regionServers how many
 * @param syncsToDisk whether a write is on the disk before it is acknowledged; else it may be in the memory of the data node only
 * @param zookeeperPort on loopback; one that is free if absent, as all other ports are
 * @param heapMegabytes where a role gets more than it needs at least
 * @param settings of HBase, by key, over all that we set
 * @param supervised whether an {@link HBaseCluster} starts a process again that ends by itself, as a service manager would: a region
 *     server does, and the master, when ZooKeeper has not heard of it for some seconds
 */
public record HBasePlan(
        Path folder,
        Path jars,
        int regionServers,
        boolean syncsToDisk,
        OptionalInt zookeeperPort,
        Map<Role, Integer> heapMegabytes,
        Map<String, String> settings,
        boolean supervised) {

    /** The system property that says where the jars are. */
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

    private static void requireEnough(Role role, int megabytes) {
        if (megabytes < role.heapMegabytes()) {
            throw new IllegalArgumentException("heap of a %s: %d MB (expected: at least %d)"
                    .formatted(role.label(), megabytes, role.heapMegabytes()));
        }
    }

    /** One region server, small heaps, and every write on the disk; the jars are where {@value #JARS_PROPERTY} says. */
    public static HBasePlan in(Path folder) {
        String jars = System.getProperty(JARS_PROPERTY);
        if (jars == null) {
            throw new IllegalStateException(
                    "system property %s: not set (expected: the folder of HBase's jars, which a build of the module dist-hbase makes)"
                            .formatted(JARS_PROPERTY));
        }
        return new HBasePlan(folder, Path.of(jars), 1, true, OptionalInt.empty(), Map.of(), Map.of(), false);
    }

    /** The same with so many region servers. */
    public HBasePlan withRegionServers(int count) {
        return new HBasePlan(folder, jars, count, syncsToDisk, zookeeperPort, heapMegabytes, settings, supervised);
    }

    /** The same, whose writes are acknowledged before they are on the disk. */
    public HBasePlan withoutSync() {
        return new HBasePlan(folder, jars, regionServers, false, zookeeperPort, heapMegabytes, settings, supervised);
    }

    /** The same with ZooKeeper on this port of loopback. */
    public HBasePlan withZookeeperPort(int port) {
        return new HBasePlan(
                folder, jars, regionServers, syncsToDisk, OptionalInt.of(port), heapMegabytes, settings, supervised);
    }

    /** The same with another heap for all processes of a role. */
    public HBasePlan withHeap(Role role, int megabytes) {
        Map<Role, Integer> all = new EnumMap<>(Role.class);
        all.putAll(heapMegabytes);
        all.put(role, megabytes);
        return new HBasePlan(folder, jars, regionServers, syncsToDisk, zookeeperPort, all, settings, supervised);
    }

    /** The same with a setting of HBase more. */
    public HBasePlan with(String key, String value) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put(key, value);
        return new HBasePlan(folder, jars, regionServers, syncsToDisk, zookeeperPort, heapMegabytes, all, supervised);
    }

    /** The same, whose processes are started again when they end by themselves. */
    public HBasePlan withSupervision() {
        return new HBasePlan(folder, jars, regionServers, syncsToDisk, zookeeperPort, heapMegabytes, settings, true);
    }

    int heapOf(Role role) {
        return heapMegabytes.getOrDefault(role, role.heapMegabytes());
    }
}
