package io.taskmaster.testkit;

import io.grpc.ServerInterceptor;
import io.taskmaster.server.config.SettingsReader;
import io.taskmaster.server.config.StoreKind;
import io.taskmaster.testkit.process.FreePort;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a {@link TestServer} is to be. Single-threaded: owned by whoever builds. */
public final class TestServerBuilder {

    /** Enough to have several, few enough to start at once. */
    private static final String PARTITIONS = "8";

    private final Map<String, String> settings = new LinkedHashMap<>(Map.of("partitions", PARTITIONS));
    private final List<ServerInterceptor> interceptors = new ArrayList<>();
    private StoreKind store = StoreKind.MEMORY;
    private Path data = Path.of("data");
    private TestClock clock = TestClock.running();
    private boolean recorded;

    TestServerBuilder() {}

    /** Keeps its data in this folder, on RocksDB; a folder with data from before is gone on with. Default: in memory. */
    public TestServerBuilder onDisk(Path folder) {
        store = StoreKind.ROCKSDB;
        data = folder;
        return this;
    }

    /**
     * Sets what the configuration file of a server sets; see {@code docs/configuration.md}. Ports, store and folder are this builder's own.
     * Default: as a server's, but 8 partitions.
     */
    public TestServerBuilder set(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /**
     * Time stands still for what the contract speaks of (ends of leases, delays, waits, request ids) unless the test moves it with
     * {@link TestServer#advance}. Default: it begins now, and goes on by itself too.
     */
    public TestServerBuilder standingAt(Instant time) {
        clock = TestClock.standingAt(time);
        return this;
    }

    /** Puts something around the service, outside of what is there already: it sees what clients see, over gRPC and over HTTP. */
    public TestServerBuilder intercept(ServerInterceptor interceptor) {
        interceptors.add(interceptor);
        return this;
    }

    /** Keeps in memory what all clients ask and are told, so that it can be judged: {@link TestServer#verdict}. Default: it does not. */
    public TestServerBuilder recording() {
        recorded = true;
        return this;
    }

    /** A server that serves. Blocks. */
    public TestServer start() {
        SettingsReader reader = new SettingsReader(Runtime.getRuntime().maxMemory());
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
