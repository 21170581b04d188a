package io.taskmaster.server.config;

import com.google.common.net.HostAndPort;
import io.taskmaster.server.store.hbase.settings.BigtableSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of a node; {@link Setting} describes each. Created by {@link SettingsReader}. Immutable.
 *
 * @param accessFile the permissions of principals; empty: every caller may do everything
 * @param tls the files for TLS on both ports; empty: plain text
 * @param hbase the settings of the data in HBase
 * @param bigtable the settings of the data in Cloud Bigtable
 * @param nodeId the identity of this node towards other nodes of its store; empty if the store is not shared
 * @param takeOver whether to take a shared store from another node that seems to be alive
 * @param diskReserveBytes the free space that the disk is to keep
 * @param windowBytes memory for the heads of all queues together
 * @param dirtyBytes memory for committed changes that are not yet written to the task rows
 * @param dedupWindow the time for which an update with a request id is remembered
 * @param dedupBytes memory for the remembered updates
 * @param logWait the time that a command may wait for the commit log
 * @param maxQueues the maximum number of queues with tasks or options
 */
public record ServerConfig(
        HostAndPort listen,
        HostAndPort http,
        Optional<Path> accessFile,
        Optional<TlsConfig> tls,
        StoreKind store,
        Path data,
        HBaseConfig hbase,
        BigtableConfig bigtable,
        String nodeId,
        boolean takeOver,
        long diskReserveBytes,
        int partitions,
        long windowBytes,
        long dirtyBytes,
        Duration dedupWindow,
        long dedupBytes,
        long maxQueues,
        Duration flushInterval,
        int logRowsInFlight,
        Duration logWait,
        int refillMaxTasks,
        ConnectionLimits connections,
        int inFlightRequests,
        long inFlightBytes,
        HistoryConfig history,
        Duration shutdownTimeout,
        LogFormat logFormat) {

    static final int MAX_PARTITIONS = 1 << 16;
    static final int MAX_LOG_ROWS_IN_FLIGHT = 64;
    static final Duration MIN_LOG_WAIT = Duration.ofMillis(1);
    static final Duration MAX_LOG_WAIT = Duration.ofSeconds(10);
    static final int MAX_REFILL_TASKS = 1 << 20;
    static final int MAX_IN_FLIGHT_REQUESTS = 10_000_000;
    static final long MIN_BUDGET_BYTES = 1L << 20;
    static final long MIN_DEDUP_BYTES = 1L << 16;
    static final Duration MIN_DEDUP_WINDOW = Duration.ofSeconds(1);
    static final Duration MAX_DEDUP_WINDOW = Duration.ofDays(1);
    static final Duration MIN_FLUSH_INTERVAL = Duration.ofMillis(1);
    static final Duration MAX_FLUSH_INTERVAL = Duration.ofMinutes(1);
    static final Duration MAX_SHUTDOWN_TIMEOUT = Duration.ofHours(1);

    public ServerConfig {
        within(Setting.DISK_RESERVE, diskReserveBytes, 0L, Long.MAX_VALUE);
        within(Setting.PARTITIONS, partitions, 1, MAX_PARTITIONS);
        within(Setting.WINDOW_BYTES, windowBytes, MIN_BUDGET_BYTES, Long.MAX_VALUE);
        within(Setting.DIRTY_BYTES, dirtyBytes, MIN_BUDGET_BYTES, Long.MAX_VALUE);
        within(Setting.DEDUP_WINDOW, dedupWindow, MIN_DEDUP_WINDOW, MAX_DEDUP_WINDOW);
        within(Setting.DEDUP_BYTES, dedupBytes, MIN_DEDUP_BYTES, Long.MAX_VALUE);
        within(Setting.MAX_QUEUES, maxQueues, 1L, Long.MAX_VALUE);
        within(Setting.FLUSH_INTERVAL, flushInterval, MIN_FLUSH_INTERVAL, MAX_FLUSH_INTERVAL);
        within(Setting.LOG_ROWS_IN_FLIGHT, logRowsInFlight, 1, MAX_LOG_ROWS_IN_FLIGHT);
        within(Setting.LOG_WAIT, logWait, MIN_LOG_WAIT, MAX_LOG_WAIT);
        within(Setting.REFILL_MAX_TASKS, refillMaxTasks, 1, MAX_REFILL_TASKS);
        connections.max().ifPresent(max -> within(Setting.CONNECTIONS_MAX, max, 1, ConnectionLimits.MAX));
        within(Setting.CONNECTIONS_MAX_PER_ADDRESS, connections.maxPerAddress(), 1, ConnectionLimits.MAX);
        within(Setting.IN_FLIGHT_REQUESTS, inFlightRequests, 1, MAX_IN_FLIGHT_REQUESTS);
        // With less, a request within every limit of the contract could never be admitted.
        within(Setting.IN_FLIGHT_BYTES, inFlightBytes, (long) Limits.MESSAGE_BYTES, Long.MAX_VALUE);
        within(Setting.HISTORY_QUEUES, history.queues(), 0, HistoryConfig.MAX_QUEUES);
        within(Setting.SHUTDOWN_TIMEOUT, shutdownTimeout, Duration.ZERO, MAX_SHUTDOWN_TIMEOUT);
        within(Setting.HBASE_REGIONS, hbase.regions(), 1, MAX_PARTITIONS);
        if (store == StoreKind.BIGTABLE) {
            requireGiven(Setting.BIGTABLE_PROJECT, bigtable.project());
            requireGiven(Setting.BIGTABLE_INSTANCE, bigtable.instance());
            if (!BigtableSettings.TABLE_PREFIX.matcher(hbase.tablePrefix()).matches()) {
                throw ConfigException.of(
                        Setting.HBASE_TABLE_PREFIX.key(),
                        hbase.tablePrefix(),
                        "on Bigtable, which has no namespaces, at most 43 letters, digits, _, - and .");
            }
        }
    }

    private static void requireGiven(Setting setting, String value) {
        if (value.isEmpty()) {
            throw ConfigException.of(setting.key(), "empty", "a name, with store=bigtable");
        }
    }

    private static <T extends Comparable<T>> void within(Setting setting, T value, T min, T max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw ConfigException.of(setting.key(), value.toString(), min + " to " + max);
        }
    }
}
