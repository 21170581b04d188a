package io.taskmaster.bench.target;

import io.taskmaster.testkit.process.FreePort;
import io.taskmaster.testkit.process.Health;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A TaskMaster server of our own, in a process of its own, on a fresh folder. Not thread-safe: one run owns it. */
public final class ServerProcess implements Target.Restartable {

    private static final String MAIN_CLASS = "io.taskmaster.server.cli.Main";

    /** Those that the launcher gives to a server, so that what is measured is what people run. */
    private static final List<String> LAUNCHER_FLAGS = List.of("-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError");

    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final String store;
    private final List<String> settings;
    private final Path folder;
    private final InetSocketAddress address;
    private final InetSocketAddress http;
    private ChildJvm process;

    private ServerProcess(String store, Path folder, List<String> settings, InetSocketAddress address) {
        this.address = address;
        this.http = FreePort.onLoopback();
        this.store = store;
        this.settings = List.copyOf(settings);
        this.folder = folder;
        this.process = launch();
    }

    /**
     * Starts one that keeps its data in an empty folder, and waits until it serves. Blocks.
     *
     * @param settings beside what people get who set nothing, as {@code key=value}
     */
    public static ServerProcess startIn(Path folder, String store, List<String> settings) throws InterruptedException {
        return FreePort.open(address -> startAwaiting(new ServerProcess(store, folder, settings, address)));
    }

    private static ServerProcess startAwaiting(ServerProcess server)
            throws FreePort.TakenException, InterruptedException {
        if (!Health.awaitServing(server.address, START_LIMIT, server.process::isAlive)) {
            String lastWords = server.process.lastWords();
            server.close();
            FreePort.throwIfTaken(lastWords);
            throw new IllegalStateException("our server did not start: " + lastWords);
        }
        return server;
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public void kill() throws InterruptedException {
        process.kill();
    }

    @Override
    public void stop() throws InterruptedException {
        process.stop();
    }

    @Override
    public void start() {
        process = launch();
    }

    /** Kills it: its data is thrown away anyhow. */
    @Override
    public void close() {
        process.close();
    }

    private ChildJvm launch() {
        List<String> arguments = new ArrayList<>(List.of(
                "server",
                "--store",
                store,
                "--data",
                folder.resolve("data").toString(),
                "--listen",
                hostAndPort(address),
                "--http",
                hostAndPort(http)));
        settings.forEach(setting -> arguments.addAll(List.of("--set", setting)));
        return ChildJvm.start(LAUNCHER_FLAGS, MAIN_CLASS, arguments, folder.resolve("server.log"));
    }

    private static String hostAndPort(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
