package io.taskmaster.harness.hbase;

import io.taskmaster.harness.process.DaemonJvm;
import io.taskmaster.proxy.program.ExitStatus;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.testkit.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * An HBase whose processes outlive this one, identified by its folder: the one that {@code taskmaster hbase} starts,
 * shows and stops.
 *
 * <p>Only processes that were provably started for that folder are ever touched ({@link DaemonJvm}). Commands that
 * change what runs hold a lock on the folder. Immutable: the state of the processes is queried each time.
 */
public final class HBaseDaemons {

    private static final Duration STOP_LIMIT = Duration.ofSeconds(45);

    private final HBaseFolder folder;

    private HBaseDaemons(HBaseFolder folder) {
        this.folder = folder;
    }

    /**
     * The status of a process.
     *
     * @param pid empty if it does not run
     * @param since the time of its start; empty if it does not run, or if the system does not report it
     */
    public record ProcessStatus(String name, int port, Optional<Long> pid, Optional<Instant> since) {}

    /** The effect of a start. */
    public enum Started {
        /** All missing processes were started. */
        STARTED,
        /** All processes were running already. */
        RAN_ALREADY
    }

    /** Returns those of a folder, whether or not anything is in it yet. */
    public static HBaseDaemons in(Path folder) {
        return new HBaseDaemons(new HBaseFolder(folder.toAbsolutePath().normalize()));
    }

    /**
     * Starts the processes that do not run. Blocks.
     *
     * @param waits whether to wait until it takes work
     * @param progress receives what is being waited for
     * @throws StartException if the folder cannot be used, or ZooKeeper's port is taken
     * @throws HBaseException if it takes no work within the limit, or a process ends; then the processes that were
     *     started are killed again
     */
    public Started start(HBasePlan plan, boolean waits, Duration limit, Consumer<String> progress)
            throws StartException, InterruptedException {
        requireUsable();
        try (FolderLock _ = lock()) {
            HBaseSetup setup = new HBaseSetup(plan, ports(plan));
            List<HBaseDaemon> daemons = setup.members().stream()
                    .map(member -> HBaseDaemon.of(setup, member))
                    .toList();
            List<HBaseDaemon> missing =
                    daemons.stream().filter(daemon -> !daemon.isAlive()).toList();
            if (missing.isEmpty()) {
                return Started.RAN_ALREADY;
            }
            Thread interrupted = Thread.ofPlatform().unstarted(() -> killAll(missing));
            Runtime.getRuntime().addShutdownHook(interrupted);
            new Startup(setup, daemons).run(waits, limit, progress);
            Runtime.getRuntime().removeShutdownHook(interrupted);
            return Started.STARTED;
        }
    }

    /** Terminates all processes. Returns true if any ran. Blocks. */
    public boolean stop(Consumer<String> progress) throws StartException, InterruptedException {
        if (!folder.isBegun()) {
            return false;
        }
        try (FolderLock _ = lock()) {
            boolean stopped = false;
            for (Member member : members().reversed()) {
                DaemonJvm jvm = HBaseDaemon.jvm(folder, member);
                if (jvm.isAlive()) {
                    stopped = true;
                    progress.accept("stops " + member.name());
                    jvm.stop(STOP_LIMIT);
                }
            }
            return stopped;
        }
    }

    /** Returns the status of every process, in the order of their start; empty if nothing was ever started here. */
    public List<ProcessStatus> status() {
        if (!folder.isBegun()) {
            return List.of();
        }
        Ports ports = savedPorts();
        return members().stream()
                .map(member -> {
                    DaemonJvm jvm = HBaseDaemon.jvm(folder, member);
                    return new ProcessStatus(member.name(), ports.of(member), jvm.pid(), jvm.runningSince());
                })
                .toList();
    }

    /** Returns the address for clients: host and port of its ZooKeeper. Empty if nothing was ever started here. */
    public Optional<String> zookeeper() {
        return folder.isBegun() ? Optional.of("127.0.0.1:" + savedPorts().zookeeper()) : Optional.empty();
    }

    /**
     * Deletes the folder with all its data. Returns true if there was anything.
     *
     * @param force true to kill processes that run; otherwise nothing is deleted then
     * @throws StartException if a process runs, or the folder is not one of an HBase
     */
    public boolean wipe(boolean force) throws StartException, InterruptedException {
        requireUsable();
        if (!folder.isBegun()) {
            return false;
        }
        try (FolderLock _ = lock()) {
            for (Member member : members().reversed()) {
                DaemonJvm jvm = HBaseDaemon.jvm(folder, member);
                if (jvm.isAlive() && !force) {
                    throw new StartException(
                            ExitStatus.DATA_UNUSABLE,
                            "%s: %s runs (expected: a stopped HBase; stop it, or force it)"
                                    .formatted(folder.root(), member.name()),
                            null);
                }
                jvm.kill();
            }
            folder.delete();
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the ports: the saved ones while any process runs, else free ones. */
    private Ports ports(HBasePlan plan) throws StartException {
        if (folder.isBegun()
                && status().stream().anyMatch(process -> process.pid().isPresent())) {
            Ports ports = savedPorts();
            requireSame(
                    "region servers",
                    plan.regionServers(),
                    ports.regionServers().size());
            requireSame("zookeeper port", plan.zookeeperPort().orElse(ports.zookeeper()), ports.zookeeper());
            return ports;
        }
        return Ports.free(freeZookeeperPort(plan), plan.regionServers());
    }

    private static int freeZookeeperPort(HBasePlan plan) throws StartException {
        if (plan.zookeeperPort().isEmpty()) {
            return FreePort.onLoopback().getPort();
        }
        int port = plan.zookeeperPort().getAsInt();
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException inUse) {
            throw new StartException(
                    ExitStatus.FAILURE,
                    "zookeeper port: %d (expected: a free port; %s)".formatted(port, inUse.getMessage()),
                    inUse);
        }
    }

    private static void requireSame(String name, int requested, int running) throws StartException {
        if (requested != running) {
            throw new StartException(
                    ExitStatus.FAILURE,
                    "%s: %d (expected: %d, as in the running processes; stop them first)"
                            .formatted(name, requested, running),
                    null);
        }
    }

    private void requireUsable() throws StartException {
        try {
            if (!folder.isUsable()) {
                throw new StartException(
                        ExitStatus.DATA_UNUSABLE,
                        "%s: has other contents (expected: a folder that is new, empty, or created by this command)"
                                .formatted(folder.root()),
                        null);
            }
        } catch (IOException e) {
            throw new StartException(
                    ExitStatus.DATA_UNUSABLE, "%s: cannot be read: %s".formatted(folder.root(), e.getMessage()), e);
        }
    }

    private FolderLock lock() throws StartException {
        return FolderLock.tryOn(folder.lock())
                .orElseThrow(() -> new StartException(
                        ExitStatus.DATA_UNUSABLE,
                        "%s: another command is starting or stopping it".formatted(folder.root()),
                        null));
    }

    private List<Member> members() {
        return Member.all(savedPorts().regionServers().size());
    }

    private Ports savedPorts() {
        try {
            return Ports.load(folder.ports());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void killAll(List<HBaseDaemon> daemons) {
        try {
            for (HBaseDaemon daemon : daemons) {
                daemon.kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
