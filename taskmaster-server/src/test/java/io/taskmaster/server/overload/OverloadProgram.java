package io.taskmaster.server.overload;

import io.taskmaster.proxy.logging.Logs;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.config.ServerConfig;
import io.taskmaster.server.store.rocksdb.RocksDbSettings;
import io.taskmaster.server.store.rocksdb.RocksDbStore;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A whole server, with both ports and all settings at their defaults, whose store is behind a line of limited bandwidth
 * ({@link ThrottledStore}). It announces its address as every server does, and prints a line {@code store
 * <milliseconds>} several times per second: the delay of the line.
 *
 * <p>Arguments: the folder of the data, and the bandwidth of the line in bytes per second. Runs until it is killed.
 */
final class OverloadProgram {

    private static final long SAMPLE_MILLIS = 50;

    private OverloadProgram() {}

    public static void main(String[] args) throws StartException, InterruptedException {
        ServerConfig config = ServerConfig.reader(Runtime.getRuntime().maxMemory())
                .set("data", args[0])
                .set("listen", "127.0.0.1:0")
                .set("http", "127.0.0.1:0")
                .read();
        Logs.forServer(config.process().logFormat(), _ -> {});
        RocksDbStore disk = RocksDbStore.open(Path.of(args[0]), RocksDbSettings.DEFAULTS);
        try (var store = new ThrottledStore(disk, Long.parseLong(args[1]));
                var _ = TaskMasterServer.start(config, (settled, meters) -> Nodes.open(settled, store, meters));
                var sampler = Executors.newSingleThreadScheduledExecutor()) {
            sampler.scheduleAtFixedRate(() -> print(store), SAMPLE_MILLIS, SAMPLE_MILLIS, TimeUnit.MILLISECONDS)
                    .get();
        } catch (ExecutionException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void print(ThrottledStore store) {
        System.out.printf(Locale.ROOT, "store %.1f%n", store.backlogNanos() / 1e6);
    }
}
