package io.taskmaster.server.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.store.hbase.settings.DurabilityLevel;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A builder of the settings of a node, from defaults, a flat {@code .properties} file over them, and command-line
 * values over that. An unknown key, or one that occurs twice in the file, is an error that names it. Single-threaded.
 */
public final class SettingsReader {

    private static final Map<String, Setting> BY_KEY =
            Arrays.stream(Setting.values()).collect(Collectors.toUnmodifiableMap(Setting::key, setting -> setting));

    private static final String AUTO = "auto";
    private static final Duration LOCAL_LOG_WAIT = Duration.ofMillis(10);
    private static final Duration SHARED_LOG_WAIT = Duration.ofMillis(250);
    private static final Pattern TABLE_PREFIX = Pattern.compile("([A-Za-z0-9_.-]+:)?[A-Za-z0-9_][A-Za-z0-9_.-]*");

    private final long heapBytes;
    private final Map<Setting, String> values = new EnumMap<>(Setting.class);

    /**
     * Creates a reader with the defaults.
     *
     * @param heapBytes the size of the heap, of which settings in percent are a share
     */
    public SettingsReader(long heapBytes) {
        this.heapBytes = heapBytes;
        for (Setting setting : Setting.values()) {
            values.put(setting, setting.defaultValue());
        }
    }

    /** Overrides settings with those of the file. */
    public SettingsReader file(Path file) {
        var once = new HashMap<String, String>();
        var properties = new OnceOnly();
        try (Reader reader = Files.newBufferedReader(file, UTF_8)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException(
                    "--config: " + file + " (expected: a readable .properties file; " + e.getMessage() + ")", e);
        }
        properties.stringPropertyNames().forEach(key -> once.put(key, properties.getProperty(key)));
        once.forEach(this::set);
        return this;
    }

    /** Overrides a setting. */
    public SettingsReader set(String key, String value) {
        Setting setting = BY_KEY.get(key);
        if (setting == null) {
            throw ConfigException.of(key, "unknown setting", closest(key));
        }
        values.put(setting, value.strip());
        return this;
    }

    /** Returns the settings, each validated. */
    public ServerConfig read() {
        return new ServerConfig(
                Values.address(Setting.LISTEN.key(), value(Setting.LISTEN)),
                Values.address(Setting.HTTP.key(), value(Setting.HTTP)),
                given(Setting.ACCESS_FILE).map(Path::of),
                tls(),
                store(),
                data(),
                hbase(),
                bigtable(),
                nodeId(),
                Values.flag(Setting.NODE_TAKE_OVER.key(), value(Setting.NODE_TAKE_OVER)),
                bytes(Setting.DISK_RESERVE),
                Values.integer(Setting.PARTITIONS.key(), value(Setting.PARTITIONS)),
                bytes(Setting.WINDOW_BYTES),
                bytes(Setting.DIRTY_BYTES),
                Values.duration(Setting.DEDUP_WINDOW.key(), value(Setting.DEDUP_WINDOW)),
                bytes(Setting.DEDUP_BYTES),
                Values.count(Setting.MAX_QUEUES.key(), value(Setting.MAX_QUEUES), heapBytes, MemoryBudget.QUEUE_BYTES),
                Values.duration(Setting.FLUSH_INTERVAL.key(), value(Setting.FLUSH_INTERVAL)),
                Values.integer(Setting.LOG_ROWS_IN_FLIGHT.key(), value(Setting.LOG_ROWS_IN_FLIGHT)),
                logWait(),
                Values.integer(Setting.REFILL_MAX_TASKS.key(), value(Setting.REFILL_MAX_TASKS)),
                connections(),
                Values.integer(Setting.IN_FLIGHT_REQUESTS.key(), value(Setting.IN_FLIGHT_REQUESTS)),
                bytes(Setting.IN_FLIGHT_BYTES),
                HistoryConfig.of(
                        Values.integer(Setting.HISTORY_QUEUES.key(), value(Setting.HISTORY_QUEUES)),
                        given(Setting.HISTORY_PATTERN),
                        given(Setting.FLOW_FAMILY)),
                Values.duration(Setting.SHUTDOWN_TIMEOUT.key(), value(Setting.SHUTDOWN_TIMEOUT)),
                Values.oneOf(Setting.LOG_FORMAT.key(), value(Setting.LOG_FORMAT), LogFormat.class));
    }

    private String value(Setting setting) {
        return Optional.ofNullable(values.get(setting)).orElseThrow();
    }

    private long bytes(Setting setting) {
        return Values.bytes(setting.key(), value(setting), heapBytes);
    }

    private StoreKind store() {
        return Values.oneOf(Setting.STORE.key(), value(Setting.STORE), StoreKind.class);
    }

    private Path data() {
        String data = value(Setting.DATA);
        if (data.isEmpty()) {
            throw ConfigException.of(Setting.DATA.key(), "empty", "a folder");
        }
        return Path.of(data);
    }

    private HBaseConfig hbase() {
        String prefix = value(Setting.HBASE_TABLE_PREFIX);
        if (!TABLE_PREFIX.matcher(prefix).matches()) {
            throw ConfigException.of(
                    Setting.HBASE_TABLE_PREFIX.key(),
                    prefix,
                    "letters, digits, _, - and ., perhaps behind a namespace:");
        }
        return new HBaseConfig(
                given(Setting.HBASE_ZOOKEEPER),
                given(Setting.HBASE_SITE).map(Path::of),
                prefix,
                Values.integer(Setting.HBASE_REGIONS.key(), value(Setting.HBASE_REGIONS)),
                Values.oneOf(Setting.HBASE_DURABILITY.key(), value(Setting.HBASE_DURABILITY), DurabilityLevel.class));
    }

    private Optional<TlsConfig> tls() {
        Optional<Path> certificate = given(Setting.TLS_CERTIFICATE).map(Path::of);
        Optional<Path> key = given(Setting.TLS_KEY).map(Path::of);
        Optional<Path> clientCa = given(Setting.TLS_CLIENT_CA).map(Path::of);
        if (certificate.isPresent() != key.isPresent()) {
            throw ConfigException.of(
                    (certificate.isPresent() ? Setting.TLS_KEY : Setting.TLS_CERTIFICATE).key(),
                    "empty",
                    "a file, together with "
                            + (certificate.isPresent() ? Setting.TLS_CERTIFICATE : Setting.TLS_KEY).key());
        }
        if (clientCa.isPresent()
                && (certificate.isEmpty() || given(Setting.ACCESS_FILE).isEmpty())) {
            throw ConfigException.of(
                    Setting.TLS_CLIENT_CA.key(),
                    clientCa.get().toString(),
                    "nothing without " + Setting.TLS_CERTIFICATE.key() + " and " + Setting.ACCESS_FILE.key());
        }
        return certificate.flatMap(chain -> key.map(secret -> new TlsConfig(chain, secret, clientCa)));
    }

    private BigtableConfig bigtable() {
        return new BigtableConfig(
                value(Setting.BIGTABLE_PROJECT),
                value(Setting.BIGTABLE_INSTANCE),
                given(Setting.BIGTABLE_APP_PROFILE),
                given(Setting.BIGTABLE_EMULATOR)
                        .map(text -> Values.address(Setting.BIGTABLE_EMULATOR.key(), text)
                                .toString()));
    }

    private ConnectionLimits connections() {
        String max = value(Setting.CONNECTIONS_MAX);
        return new ConnectionLimits(
                max.equals(AUTO)
                        ? OptionalInt.empty()
                        : OptionalInt.of(Values.integer(Setting.CONNECTIONS_MAX.key(), max)),
                Values.integer(Setting.CONNECTIONS_MAX_PER_ADDRESS.key(), value(Setting.CONNECTIONS_MAX_PER_ADDRESS)));
    }

    /**
     * Returns the bound on the wait for the log. The latency of HBase varies by more than its mean, so a narrow bound
     * would refuse most requests.
     */
    private Duration logWait() {
        String wait = value(Setting.LOG_WAIT);
        if (wait.equals(AUTO)) {
            return store().isShared() ? SHARED_LOG_WAIT : LOCAL_LOG_WAIT;
        }
        return Values.duration(Setting.LOG_WAIT.key(), wait);
    }

    /** Returns the identity of the node; empty if the store is not shared. */
    private String nodeId() {
        return given(Setting.NODE_ID).orElseGet(() -> store().isShared() ? nameAndPort() : "");
    }

    /**
     * Returns a default that is unique per node: two nodes of one name would take the store from each other forever.
     */
    private String nameAndPort() {
        String machine = HostName.local()
                .orElseThrow(() -> ConfigException.of(
                        Setting.NODE_ID.key(), "empty", "a name for this node, since this machine has none"));
        return machine + ":"
                + Values.address(Setting.LISTEN.key(), value(Setting.LISTEN)).getPort();
    }

    private Optional<String> given(Setting setting) {
        return Optional.of(value(setting)).filter(value -> !value.isEmpty());
    }

    private static String closest(String key) {
        return "one of "
                + Arrays.stream(Setting.values()).map(Setting::key).collect(Collectors.joining(", "))
                + (key.isEmpty() ? "; a key stands before each value" : "");
    }

    /** Properties that reject a repeated key. */
    private static final class OnceOnly extends Properties {

        private static final long serialVersionUID = 1L;

        @Override
        public synchronized @Nullable Object put(Object key, Object value) {
            if (containsKey(key)) {
                throw new IllegalArgumentException(key + " is given twice");
            }
            return super.put(key, value);
        }
    }
}
