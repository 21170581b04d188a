package io.taskmaster.server.config;

/** The settings of a node: key, default as it would be written in a file, and description. */
public enum Setting {
    LISTEN("listen", "127.0.0.1:7400", "Host and port of the gRPC service; port 0 takes any free one."),
    HTTP(
            "http",
            "127.0.0.1:7480",
            "Host and port of the HTTP service (`/v1/…` in JSON, `/healthz`); port 0 takes any free one."),
    ACCESS_FILE(
            "access.file",
            "",
            "Who may do what, a line each ([security](security.md)); taken again when it changes. Empty: whoever reaches a port may do everything."),
    TLS_CERTIFICATE(
            "tls.certificate",
            "",
            "PEM: the certificate of this server and those between it and its authority; both ports then speak TLS and nothing else. Taken again when"
                    + " it changes, as are the other two."),
    TLS_KEY("tls.key", "", "PEM: its private key, RSA or EC, in PKCS #8 and without a password."),
    TLS_CLIENT_CA(
            "tls.client-ca",
            "",
            "PEM: the authorities of client certificates, which are asked for then; `access.file` says who may do what with them."),
    STORE(
            "store",
            "rocksdb",
            "Where the data is: `rocksdb` (embedded), `hbase` or `bigtable` ([operations](operations.md)), or `memory` (gone with the process)."),
    DATA("data", "./data", "Folder of the embedded store."),
    HBASE_ZOOKEEPER(
            "hbase.zookeeper",
            "",
            "Where HBase's ZooKeeper is, `host:port`, more of them with commas between; empty: as `hbase.site` says."),
    HBASE_SITE(
            "hbase.site",
            "",
            "An `hbase-site.xml`, for anything that HBase's client knows, Kerberos among it; empty: none but one on the class path."),
    HBASE_TABLE_PREFIX(
            "hbase.table-prefix",
            "taskmaster.",
            "What the names of our tables begin with, also on Bigtable; on HBase perhaps with a namespace, which must exist: `namespace:prefix`."),
    HBASE_REGIONS(
            "hbase.regions",
            "16",
            "Into how many regions, or tablets of Bigtable, a table is cut when it is made, between partitions; 1 to 65,536."),
    HBASE_DURABILITY(
            "hbase.durability",
            "fsync",
            "When HBase says that something is written: `fsync`, when it is on the disks of the data nodes; `sync`, when its own `hbase.wal.hsync`"
                    + " says so, by default in their memory."),
    BIGTABLE_PROJECT("bigtable.project", "", "The project of the Bigtable instance; needed with `store=bigtable`."),
    BIGTABLE_INSTANCE("bigtable.instance", "", "The Bigtable instance; needed with `store=bigtable`."),
    BIGTABLE_APP_PROFILE(
            "bigtable.app-profile",
            "",
            "An app profile with single-cluster routing that allows single-row transactions; empty: the default one of the instance."),
    BIGTABLE_EMULATOR(
            "bigtable.emulator", "", "Host and port of an emulator that is asked instead of the service; empty: none."),
    NODE_ID(
            "node.id",
            "",
            "Who a node is to others that share its store. One that was killed and is started again with the same id goes on at once. Empty: the"
                    + " name of the host and the port of `listen`."),
    NODE_TAKE_OVER(
            "node.take-over",
            "false",
            "Take the store from another node even if that one seems to be alive; `--take-over` sets it for one start."),
    DISK_RESERVE(
            "disk.reserve",
            "512MiB",
            "Free space that the disk of the embedded store is to keep: below it, updates that enqueue are refused with `STORE_FULL`, and what"
                    + " leases and dequeues goes on; 0 for none. With less than 256 MiB, dequeues may be refused for a while, too: the store itself"
                    + " takes up to that when it writes its memory out and compacts ([troubleshooting.md](troubleshooting.md#the-disk-is-full))."),
    PARTITIONS(
            "partitions", "256", "How many partitions a new data folder is cut into, 1 to 65,536; fixed for its life."),
    WINDOW_BYTES("window.bytes", "25%", "Memory for the heads of all queues together."),
    DIRTY_BYTES(
            "dirty.bytes",
            "12%, at most 128MiB",
            "Memory for what is committed and not yet written to the task rows; over it, updates that enqueue wait their turn, and are"
                    + " refused after a second. It also bounds what a restart replays."),
    DEDUP_WINDOW("dedup.window", "2m", "How long an update with a request id is remembered."),
    DEDUP_BYTES(
            "dedup.bytes",
            "10%, at most 256MiB",
            "Memory for the updates that are remembered; over it, updates with a request id are refused with `DEDUP_FULL`."),
    MAX_QUEUES(
            "queues.max",
            "20%, at most 1000000",
            "Queues in memory, with tasks or options; a share is one of the heap, at 512 bytes a queue; those with long names take more, and may be fewer. Over it, requests that need a new"
                    + " one are refused with `TOO_MANY_QUEUES`."),
    FLUSH_INTERVAL("flush.interval", "1s", "Age at which what is dirty is written to the task rows."),
    LOG_ROWS_IN_FLIGHT(
            "log.rows-in-flight",
            "8",
            "Commit log rows on their way to the store at the same time, 1 to 64; beyond it, each partition has one at most."),
    LOG_WAIT(
            "log.wait",
            "auto",
            "How long work may wait for the commit log, or twice as long as the store takes for next to nothing; over it, `OVERLOADED`, bulk"
                    + " first. `auto`: 10ms, and 250ms where the store is reached over a network."),
    REFILL_MAX_TASKS("refill.max-tasks", "4096", "Tasks that one refill of a queue's window reads at most."),
    CONNECTIONS_MAX(
            "connections.max",
            "auto",
            "Open connections of each port; one more is closed at once. `auto`: 10,000, or less where the process may open fewer files; never more than what"
                    + " leaves the store its own ([limits](limits.md))."),
    CONNECTIONS_MAX_PER_ADDRESS(
            "connections.max-per-address",
            "2000",
            "How many of them may come from one address; behind a proxy or NAT raise it to what `connections.max` is."),
    IN_FLIGHT_REQUESTS(
            "in-flight.requests",
            "100000",
            "Requests that are not answered yet, long polls included; over it, `OVERLOADED`. The last eighth is for callers with less than"
                    + " their part."),
    IN_FLIGHT_BYTES(
            "in-flight.bytes",
            "25%",
            "Bytes of requests and replies in flight; over it, `OVERLOADED`. The last eighth is for callers with less than their part."),
    HISTORY_QUEUES(
            "history.queues",
            "64",
            "Queues with a history, and with series of their own in `/metrics`: those in which most goes on, 0 to 1,000, at 70 KiB each."),
    HISTORY_PATTERN(
            "history.pattern",
            "",
            "RE2: queues whose whole name matches come before all others there, however little goes on in them. Empty: none do."),
    FLOW_FAMILY(
            "flow.family",
            "",
            "RE2 with one capturing group, for whole names of queues: those in which it captures the same are a family of the flow. Empty, and for all other names:"
                    + " families are found by [names and hand-offs](cli.md#flow)."),
    SHUTDOWN_TIMEOUT("shutdown.timeout", "10s", "How long a shutdown waits for requests in flight."),
    LOG_FORMAT("log.format", "text", "Log lines as `text` or `json`.");

    private final String key;
    private final String defaultValue;
    private final String description;

    Setting(String key, String defaultValue, String description) {
        this.key = key;
        this.defaultValue = defaultValue;
        this.description = description;
    }

    public String key() {
        return key;
    }

    public String defaultValue() {
        return defaultValue;
    }

    /** The description for operators, in Markdown. */
    public String description() {
        return description;
    }

    /** Throws a {@link ConfigException} that names this setting unless the value is between these, both included. */
    <T extends Comparable<T>> void checkWithin(T value, T min, T max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw ConfigException.of(key, value.toString(), min + " to " + max);
        }
    }
}
