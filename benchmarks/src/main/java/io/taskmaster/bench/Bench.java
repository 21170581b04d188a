package io.taskmaster.bench;

import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.target.EchoProcess;
import io.taskmaster.bench.target.OwnServer;
import io.taskmaster.bench.target.RemoteServer;
import io.taskmaster.bench.target.Target;
import io.taskmaster.bench.workload.Scene;
import io.taskmaster.bench.workload.Workload;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One run: starts what its workloads have to be run against, never two of them at once, and hands on each row as it is done. Limits
 * come first, so that every later row can be held against them. Not thread-safe.
 */
final class Bench {

    private static final String MEMORY = "memory";

    private final Scene scene;
    private final Optional<InetSocketAddress> remote;
    private final String store;
    private final Path parentFolder;
    private final Consumer<String> progress;
    private final Consumer<Row> outcome;

    Bench(
            Scene scene,
            Optional<InetSocketAddress> remote,
            String store,
            Path parentFolder,
            Consumer<String> progress,
            Consumer<Row> outcome) {
        this.scene = scene;
        this.remote = remote;
        this.store = store;
        this.parentFolder = parentFolder;
        this.progress = progress;
        this.outcome = outcome;
    }

    /** Runs all of them. Blocks. */
    void run(List<Workload> workloads) throws InterruptedException {
        try (TempFolder folder = TempFolder.in(parentFolder)) {
            if (folder.isInMemory()) {
                progress.accept(
                        "warning: " + parentFolder + " is in memory, so nothing here is synced to a disk (see --data)");
            }
            runOnEcho(only(workloads, Workload.OnEcho.class), folder.path());
            runOnDisk(only(workloads, Workload.OnDisk.class));
            if (remote.isPresent()) {
                runOnRemote(onServers(workloads), new RemoteServer(remote.get()));
            } else {
                runOnOwn(onShared(workloads), folder.path());
                runOnTuned(only(workloads, Workload.SeriesOnTunedServer.class));
            }
        }
    }

    private void runOnEcho(List<Workload.OnEcho> workloads, Path folder) throws InterruptedException {
        if (workloads.isEmpty()) {
            return;
        }
        try (Target echo = EchoProcess.startIn(folder)) {
            for (Workload.OnEcho workload : workloads) {
                progress.accept(workload.row());
                outcome.accept(workload.run(scene, echo));
            }
        }
    }

    private void runOnDisk(List<Workload.OnDisk> workloads) throws InterruptedException {
        for (Workload.OnDisk workload : workloads) {
            try (TempFolder folder = TempFolder.in(parentFolder)) {
                progress.accept(workload.row());
                outcome.accept(workload.run(scene, folder.path()));
            }
        }
    }

    private void runOnRemote(List<Workload> workloads, Target server) throws InterruptedException {
        for (Workload workload : workloads) {
            switch (workload) {
                case Workload.OnServer onServer -> {
                    progress.accept(workload.row());
                    outcome.accept(onServer.run(scene, server));
                }
                case Workload.SeriesOnServer series -> {
                    progress.accept(workload.row());
                    series.run(scene, server, outcome);
                }
                case Workload.OnOwnServer _, Workload.SeriesOnTunedServer _ ->
                    progress.accept(
                            workload.row() + ": left out, it starts the server itself and needs one of our own");
                case Workload.OnEcho _, Workload.OnDisk _ -> throw notOnServers(workload);
            }
        }
    }

    private void runOnOwn(List<Workload> workloads, Path folder) throws InterruptedException {
        if (workloads.isEmpty()) {
            return;
        }
        try (OwnServer server = OwnServer.startIn(folder, store, Map.of())) {
            if (store.equals(MEMORY)) {
                // A restart would lose everything, so it is a server like any other.
                runOnRemote(workloads, new RemoteServer(server.address()));
                return;
            }
            for (Workload workload : workloads) {
                progress.accept(workload.row());
                switch (workload) {
                    case Workload.OnServer onServer -> outcome.accept(onServer.run(scene, server));
                    case Workload.OnOwnServer onOwnServer -> outcome.accept(onOwnServer.run(scene, server));
                    case Workload.SeriesOnServer series -> series.run(scene, server, outcome);
                    case Workload.OnEcho _, Workload.OnDisk _, Workload.SeriesOnTunedServer _ ->
                        throw notOnServers(workload);
                }
            }
        }
    }

    private void runOnTuned(List<Workload.SeriesOnTunedServer> workloads) throws InterruptedException {
        for (Workload.SeriesOnTunedServer workload : workloads) {
            progress.accept(workload.row());
            try (TempFolder folder = TempFolder.in(parentFolder);
                    OwnServer server = OwnServer.startIn(folder.path(), store, workload.settings())) {
                workload.run(scene, server, outcome);
            }
        }
    }

    private static IllegalStateException notOnServers(Workload workload) {
        return new IllegalStateException(workload.row() + ": does not run on this server");
    }

    private static List<Workload> onServers(List<Workload> workloads) {
        return workloads.stream()
                .filter(workload -> !(workload instanceof Workload.OnEcho || workload instanceof Workload.OnDisk))
                .toList();
    }

    private static List<Workload> onShared(List<Workload> workloads) {
        return onServers(workloads).stream()
                .filter(workload -> !(workload instanceof Workload.SeriesOnTunedServer))
                .toList();
    }

    private static <T extends Workload> List<T> only(List<Workload> workloads, Class<T> type) {
        return workloads.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
