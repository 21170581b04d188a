package io.taskmaster.testkit;

import io.grpc.ServerInterceptor;
import io.taskmaster.proxy.config.SettingsReader;
import io.taskmaster.server.config.ServerConfig;
import io.taskmaster.server.config.StoreKind;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A builder of a {@link TestServer}. Single-threaded: owned by the test. */
public final class TestServerBuilder {

    /** The default number of partitions: enough to have several, few enough to start at once. */
    private static final String PARTITIONS = "8";

    private final Map<String, String> settings = new LinkedHashMap<>(Map.of("partitions", PARTITIONS));
    private final List<ServerInterceptor> interceptors = new ArrayList<>();
    private StoreKind store = StoreKind.MEMORY;
    private Path data = Path.of("data");
    private TestClock clock = TestClock.running();
    private boolean recorded;

    TestServerBuilder() {}

    /**
     * Keeps the data in this folder, on RocksDB; existing data is reused. It needs {@code org.rocksdb:rocksdbjni} on
     * the class path. Default: in memory.
     */
    public TestServerBuilder onDisk(Path folder) {
        store = StoreKind.ROCKSDB;
        data = folder;
        return this;
    }

    /**
     * Sets a setting of the server's configuration file; see {@code docs/configuration.md}. Ports, store and folder are
     * set by this builder. Default: a production server's settings, but 8 partitions.
     */
    public TestServerBuilder set(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /**
     * Makes the clock stand still for the times of the contract (lease expiry, delays, waits, request ids), unless the
     * test moves it with {@link TestServer#advance}. Default: it starts at the present time and runs by itself, too.
     */
    public TestServerBuilder standingAt(Instant time) {
        clock = TestClock.standingAt(time);
        return this;
    }

    /** Adds an interceptor outside of the existing ones: it sees what clients see, over gRPC and over HTTP. */
    public TestServerBuilder intercept(ServerInterceptor interceptor) {
        interceptors.add(interceptor);
        return this;
    }

    /** Records the calls of all clients in memory, for {@link TestServer#verdict}. Default: no recording. */
    public TestServerBuilder recording() {
        recorded = true;
        return this;
    }

    /** Starts the server. Blocks until it serves. */
    public TestServer start() {
        SettingsReader<ServerConfig> reader =
                ServerConfig.reader(Runtime.getRuntime().maxMemory());
        settings.forEach(reader::set);
        reader.set("listen", freeAddress())
                .set("http", freeAddress())
                .set("store", store == StoreKind.MEMORY ? "memory" : "rocksdb")
                .set("data", data.toString());
        TestServer server = new TestServer(reader.read(), clock, interceptors, recorded);
        server.start();
        return server;
    }

    private static String freeAddress() {
        return "127.0.0.1:" + FreePort.onLoopback().getPort();
    }
}
