package io.taskmaster.bench.target;

import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A TaskMaster server in a child process, on a fresh folder, with the JVM flags that the launcher sets. */
public final class OwnServer implements Target.Restartable {

    /** The flags that the launcher gives to a server, so that the benchmark measures what users run. */
    private static final List<String> LAUNCHER_FLAGS = List.of("-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError");

    private final ServerProcess process;

    private OwnServer(ServerProcess process) {
        this.process = process;
    }

    /**
     * Starts a server that stores its data in an empty folder, and waits until it serves. Blocks.
     *
     * @param settings the settings by key, on top of the defaults
     */
    public static OwnServer startIn(Path folder, String store, Map<String, String> settings)
            throws InterruptedException {
        return new OwnServer(ServerProcess.start(
                new ServerPlan(folder, store, settings, LAUNCHER_FLAGS, Optional.empty(), Map.of())));
    }

    @Override
    public InetSocketAddress address() {
        return process.address();
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public void stop() throws InterruptedException {
        if (process.terminate().isEmpty()) {
            throw new IllegalStateException("the server did not end by itself: " + process.lastOutput());
        }
    }

    @Override
    public void start() {
        process.start();
    }

    /** Kills the process: its data is discarded anyway. */
    @Override
    public void close() {
        process.close();
    }
}
