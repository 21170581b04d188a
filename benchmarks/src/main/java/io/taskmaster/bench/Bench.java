package io.taskmaster.bench;

import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.target.EchoProcess;
import io.taskmaster.bench.target.RemoteServer;
import io.taskmaster.bench.target.ServerProcess;
import io.taskmaster.bench.target.Target;
import io.taskmaster.bench.workload.Scene;
import io.taskmaster.bench.workload.Workload;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
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
            List<Workload> rest = workloads.stream()
                    .filter(workload -> !(workload instanceof Workload.OnEcho || workload instanceof Workload.OnDisk))
                    .toList();
            if (rest.isEmpty()) {
                return;
            }
            if (remote.isPresent()) {
                runOnRemote(rest, new RemoteServer(remote.get()));
            } else {
                runOnOwn(rest, folder.path());
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
            if (workload instanceof Workload.OnServer onServer) {
                progress.accept(workload.row());
                outcome.accept(onServer.run(scene, server));
            } else {
                progress.accept(workload.row() + ": left out, it restarts the server and needs one of our own");
            }
        }
    }

    private void runOnOwn(List<Workload> workloads, Path folder) throws InterruptedException {
        try (ServerProcess server = ServerProcess.startIn(folder, store)) {
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
                    case Workload.OnEcho _, Workload.OnDisk _ ->
                        throw new IllegalStateException(workload.row() + ": does not run on a server");
                }
            }
        }
    }

    private static <T extends Workload> List<T> only(List<Workload> workloads, Class<T> type) {
        return workloads.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
