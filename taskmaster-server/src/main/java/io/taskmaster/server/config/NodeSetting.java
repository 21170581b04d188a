package io.taskmaster.server.config;

import io.taskmaster.proxy.config.PortSetting;
import io.taskmaster.proxy.config.Setting;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The settings of a node, beside those of its ports. */
public enum NodeSetting implements Setting {
    STORE(
            "store",
            "rocksdb",
            "The kind of store: `rocksdb` (embedded), `hbase` or `bigtable` ([operations](operations.md)), or `memory` (lost when the process ends)."),
    DATA("data", "./data", "Folder of the embedded store."),
    HBASE_ZOOKEEPER(
            "hbase.zookeeper",
            "",
            "ZooKeeper of HBase: `host:port`, several separated by commas. Empty: taken from `hbase.site`."),
    HBASE_SITE(
            "hbase.site",
            "",
            "An `hbase-site.xml` with any settings of HBase's client, including Kerberos. Empty: only one on the class path is read."),
    HBASE_TABLE_PREFIX(
            "hbase.table-prefix",
            "taskmaster.",
            "Prefix of the names of TaskMaster's tables, on Bigtable too. On HBase it may include an existing namespace: `namespace:prefix`."),
    HBASE_REGIONS(
            "hbase.regions",
            "16",
            "Number of regions (on Bigtable: tablets) of a new table, split between partitions; 1 to 65,536."),
    HBASE_DURABILITY(
            "hbase.durability",
            "fsync",
            "When HBase acknowledges a write: `fsync`, once it is on the disks of the data nodes; `sync`, as HBase's `hbase.wal.hsync` says,"
                    + " by default once it is in their memory."),
    BIGTABLE_PROJECT("bigtable.project", "", "The project of the Bigtable instance; required with `store=bigtable`."),
    BIGTABLE_INSTANCE("bigtable.instance", "", "The Bigtable instance; required with `store=bigtable`."),
    BIGTABLE_APP_PROFILE(
            "bigtable.app-profile",
            "",
            "An app profile with single-cluster routing that allows single-row transactions. Empty: the default profile of the instance."),
    BIGTABLE_EMULATOR(
            "bigtable.emulator", "", "Host and port of an emulator to use instead of the service. Empty: none."),
    NODE_ID(
            "node.id",
            "",
            "Identity of a node among those that share its store. A killed node that restarts with the same id takes over at once. Empty:"
                    + " host name and port of `listen`."),
    NODE_TAKE_OVER(
            "node.take-over",
            "false",
            "Whether to take the store from another node even if that node seems to be alive; `--take-over` sets it for one start."),
    DISK_RESERVE(
            "disk.reserve",
            "512MiB",
            "Free space to keep on the disk of the embedded store; 0: none. Below it, updates that enqueue are rejected with `STORE_FULL`;"
                    + " leases and dequeues go on. Below 256 MiB, dequeues may also be rejected for a while, because the store needs up to that much to"
                    + " flush its memory and compact ([troubleshooting.md](troubleshooting.md#the-disk-is-full))."),
    PARTITIONS("partitions", "256", "Number of partitions of a new store, 1 to 65,536; it cannot be changed later."),
    WINDOW_BYTES("window.bytes", "25%", "Memory for the windows of all queues."),
    DIRTY_BYTES(
            "dirty.bytes",
            "12%, at most 128MiB",
            "Memory for changes that are committed but not yet written to the task rows. Above it, updates that enqueue wait, and are"
                    + " rejected after a second. It also bounds the replay after a restart."),
    DEDUP_WINDOW("dedup.window", "2m", "How long the server remembers an update with a request id."),
    DEDUP_BYTES(
            "dedup.bytes",
            "10%, at most 256MiB",
            "Memory for remembered updates; above it, updates with a request id are rejected with `DEDUP_FULL`."),
    MAX_QUEUES(
            "queues.max",
            "20%, at most 1000000",
            "Maximum number of queues with tasks or options. A percentage is a share of the heap, at 512 bytes per queue; long names take"
                    + " more, so fewer fit. Above it, requests that need a new queue are rejected with `TOO_MANY_QUEUES`."),
    FLUSH_INTERVAL("flush.interval", "1s", "Age at which dirty state is written to the task rows."),
    LOG_ROWS_IN_FLIGHT(
            "log.rows-in-flight",
            "8",
            "Maximum commit log rows in flight to the store, 1 to 64; one row per partition is always allowed."),
    LOG_WAIT(
            "log.wait",
            "auto",
            "Maximum wait of writes for the commit log, or twice the store's latency at minimal load if that is longer; above it,"
                    + " `OVERLOADED`, bulk requests first. `auto`: 10ms, and 250ms for a store over a network."),
    REFILL_MAX_TASKS("refill.max-tasks", "4096", "Maximum tasks that one refill of a queue's window reads."),
    HISTORY_QUEUES(
            "history.queues",
            "64",
            "Number of queues with a history and with their own series in `/metrics`, the busiest first; 0 to 1,000, at 70 KiB each."),
    HISTORY_PATTERN(
            "history.pattern",
            "",
            "RE2 pattern: queues whose whole name matches get a history before all others, however idle they are. Empty: none."),
    FLOW_FAMILY(
            "flow.family",
            "",
            "RE2 pattern with one capturing group, for whole queue names: queues with the same capture form a family in the flow. All other"
                    + " names, and if empty all names, are grouped by [names and hand-offs](cli.md#flow).");

    private final String key;
    private final String defaultValue;
    private final String description;

    NodeSetting(String key, String defaultValue, String description) {
        this.key = key;
        this.defaultValue = defaultValue;
        this.description = description;
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public String defaultValue() {
        return defaultValue;
    }

    @Override
    public String description() {
        return description;
    }

    /** Returns all settings of a node, those of its ports first. */
    public static List<Setting> all() {
        return Stream.<Setting>concat(Arrays.stream(PortSetting.values()), Arrays.stream(values()))
                .toList();
    }
}
