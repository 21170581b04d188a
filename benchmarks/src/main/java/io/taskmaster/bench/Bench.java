package io.taskmaster.bench;

import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.report.Subject;
import io.taskmaster.bench.store.Backing;
import io.taskmaster.bench.store.RawStore;
import io.taskmaster.bench.target.EchoProcess;
import io.taskmaster.bench.target.OwnServer;
import io.taskmaster.bench.target.RemoteServer;
import io.taskmaster.bench.target.Target;
import io.taskmaster.bench.workload.Scene;
import io.taskmaster.bench.workload.Workload;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A run of the bench command. It starts the server or store that each workload needs, never two of them at once, and
 * passes on each row as it completes. Workloads that serve as limits come first, so that every later row can be
 * compared with them. Single-threaded: owned by the thread of the command.
 */
final class Bench {

    private static final String MEMORY = "memory";

    private final Scene scene;
    private final Optional<InetSocketAddress> remote;
    private final Backing.Opener opener;
    private final Path parentFolder;
    private final Consumer<String> progress;
    private final Consumer<Row> outcome;
    private Subject subject;

    /**
     * Prepares a run; starts nothing.
     *
     * @param store the store of the servers that this run starts, by name
     * @param opener opens that store
     * @param progress receives a line for each step that takes long
     * @param outcome receives each row, with the subject of the measurement as far as it is known by then
     */
    Bench(
            Scene scene,
            Optional<InetSocketAddress> remote,
            String store,
            Backing.Opener opener,
            Path parentFolder,
            Consumer<String> progress,
            BiConsumer<Subject, Row> outcome) {
        this.scene = scene;
        this.remote = remote;
        this.opener = opener;
        this.parentFolder = parentFolder;
        this.progress = progress;
        this.subject = Subject.of(remote.isPresent() ? "that of " + remote.get() : store);
        this.outcome = row -> outcome.accept(subject, row);
    }

    /** The subject of the measurement, as far as it is known by now. */
    Subject subject() {
        return subject;
    }

    /** Runs the workloads. Blocks. */
    void run(List<Workload> workloads) throws InterruptedException {
        try (TempFolder folder = TempFolder.in(parentFolder)) {
            if (folder.isInMemory()) {
                progress.accept(
                        "warning: " + parentFolder + " is in memory, so nothing here is synced to a disk (see --data)");
            }
            runOnEcho(only(workloads, Workload.OnEcho.class), folder.path());
            List<Workload> onStore = remote.isPresent()
                    ? List.copyOf(only(workloads, Workload.OnStore.class))
                    : without(workloads, Workload.OnEcho.class);
            if (!onStore.isEmpty()) {
                runOnBacking(onStore);
            }
            if (remote.isPresent()) {
                runOnRemote(onServers(workloads), new RemoteServer(remote.get()));
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

    private void runOnBacking(List<Workload> workloads) throws InterruptedException {
        try (TempFolder folder = TempFolder.in(parentFolder);
                Backing backing = opener.open(folder.path())) {
            if (remote.isEmpty()) {
                subject = backing.subject();
            }
            runOnStore(only(workloads, Workload.OnStore.class), backing);
            runOnOwn(onShared(workloads), backing);
            runOnTuned(only(workloads, Workload.SeriesOnTunedServer.class), backing);
        }
    }

    private void runOnStore(List<Workload.OnStore> workloads, Backing backing) throws InterruptedException {
        for (Workload.OnStore workload : workloads) {
            progress.accept(workload.row());
            try (TempFolder folder = TempFolder.in(parentFolder);
                    RawStore store = backing.openRaw(folder.path())) {
                outcome.accept(workload.run(scene, store));
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
                            workload.row() + ": left out, because it starts its own server (expected: no --server)");
                case Workload.OnEcho _, Workload.OnStore _ -> throw notOnServers(workload);
            }
        }
    }

    private void runOnOwn(List<Workload> workloads, Backing backing) throws InterruptedException {
        if (workloads.isEmpty()) {
            return;
        }
        try (TempFolder folder = TempFolder.in(parentFolder);
                OwnServer server = startServer(folder, backing, Map.of())) {
            if (backing.store().equals(MEMORY)) {
                // A restart would lose all data of this store, so the server counts as one that must not be restarted.
                runOnRemote(workloads, new RemoteServer(server.address()));
                return;
            }
            for (Workload workload : workloads) {
                progress.accept(workload.row());
                switch (workload) {
                    case Workload.OnServer onServer -> outcome.accept(onServer.run(scene, server));
                    case Workload.OnOwnServer onOwnServer -> outcome.accept(onOwnServer.run(scene, server));
                    case Workload.SeriesOnServer series -> series.run(scene, server, outcome);
                    case Workload.OnEcho _, Workload.OnStore _, Workload.SeriesOnTunedServer _ ->
                        throw notOnServers(workload);
                }
            }
        }
    }

    private void runOnTuned(List<Workload.SeriesOnTunedServer> workloads, Backing backing) throws InterruptedException {
        for (Workload.SeriesOnTunedServer workload : workloads) {
            progress.accept(workload.row());
            try (TempFolder folder = TempFolder.in(parentFolder);
                    OwnServer server = startServer(folder, backing, workload.settings())) {
                workload.run(scene, server, outcome);
            }
        }
    }

    private static OwnServer startServer(TempFolder folder, Backing backing, Map<String, String> settings)
            throws InterruptedException {
        Map<String, String> all = new HashMap<>(backing.freshSettings());
        all.putAll(settings);
        return OwnServer.startIn(folder.path(), backing.store(), all);
    }

    private static IllegalStateException notOnServers(Workload workload) {
        return new IllegalStateException(workload.row() + ": not supported by this server");
    }

    private static List<Workload> onServers(List<Workload> workloads) {
        return without(without(workloads, Workload.OnEcho.class), Workload.OnStore.class);
    }

    private static List<Workload> onShared(List<Workload> workloads) {
        return without(onServers(workloads), Workload.SeriesOnTunedServer.class);
    }

    private static List<Workload> without(List<Workload> workloads, Class<? extends Workload> type) {
        return workloads.stream().filter(workload -> !type.isInstance(workload)).toList();
    }

    private static <T extends Workload> List<T> only(List<Workload> workloads, Class<T> type) {
        return workloads.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
