package io.taskmaster.harness.hbase;

import io.taskmaster.testkit.FreePort;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * A complete HBase on real HDFS in processes of its own, at free ports of loopback. It never outlives this process.
 * Thread-safe.
 *
 * <pre>{@code
 * try (HBaseCluster hbase = HBaseCluster.start(HBasePlan.in(folder))) {
 *     // clients of hbase.zookeeper() ...
 *     hbase.process(DaemonRole.DATA_NODE).kill();
 *     hbase.process(DaemonRole.DATA_NODE).start();
 *     hbase.awaitReady();
 * }
 * }</pre>
 */
public final class HBaseCluster implements AutoCloseable {

    private static final Duration READY_LIMIT = Duration.ofMinutes(3);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    private final HBaseSetup setup;
    private final List<HBaseProcess> processes;
    private final Supervisor supervisor;

    private HBaseCluster(HBaseSetup setup) {
        this.setup = setup;
        this.processes = setup.members().stream()
                .map(member -> new HBaseProcess(
                        member,
                        setup.ports().of(member),
                        setup.command(member),
                        setup.folder().log(member.name())))
                .toList();
        this.supervisor = new Supervisor(processes);
    }

    /**
     * Starts a cluster, and waits until it takes work. Blocks.
     *
     * @throws HBaseException if it does not
     */
    public static HBaseCluster start(HBasePlan plan) throws InterruptedException {
        return plan.zookeeperPort().isPresent()
                ? startAt(plan.zookeeperPort().getAsInt(), plan)
                : FreePort.open(address -> startAtFree(address.getPort(), plan));
    }

    private static HBaseCluster startAtFree(int zookeeperPort, HBasePlan plan)
            throws FreePort.TakenException, InterruptedException {
        try {
            return startAt(zookeeperPort, plan);
        } catch (HBaseException failed) {
            FreePort.throwIfTaken(String.valueOf(failed.getMessage()));
            throw failed;
        }
    }

    private static HBaseCluster startAt(int zookeeperPort, HBasePlan plan) throws InterruptedException {
        HBaseCluster cluster = new HBaseCluster(new HBaseSetup(plan, Ports.free(zookeeperPort, plan.regionServers())));
        cluster.startup().run(true, READY_LIMIT, stage -> {});
        if (plan.supervised()) {
            cluster.supervisor.start();
        }
        return cluster;
    }

    private Startup startup() {
        return new Startup(setup, processes);
    }

    /** Returns the address for clients: host and port of its ZooKeeper. */
    public String zookeeper() {
        return "127.0.0.1:" + setup.ports().zookeeper();
    }

    /** Returns the process of a role; the first one of region servers. */
    public HBaseProcess process(DaemonRole daemonRole) {
        return processes.stream()
                .filter(process -> process.daemonRole() == daemonRole)
                .findFirst()
                .orElseThrow();
    }

    /** Returns all processes, in the order of their start. */
    public List<HBaseProcess> processes() {
        return processes;
    }

    /** Starts the processes that do not run. Does not wait until the cluster takes work. */
    public void revive() throws InterruptedException {
        startup().run(false, READY_LIMIT, stage -> {});
    }

    /**
     * Waits until it takes work: all region servers are there, every region can be read, and a table can be created,
     * written and dropped.
     *
     * @throws HBaseException if it does not, or a process does not run
     */
    public void awaitReady() throws InterruptedException {
        startup().awaitReady(READY_LIMIT, stage -> {});
    }

    /** Kills all processes at once; {@link #revive} starts them again. */
    public void killAll() {
        processes.reversed().forEach(HBaseProcess::kill);
    }

    /** Terminates all processes. Returns true if none had to be killed. Blocks. */
    public boolean stop() throws InterruptedException {
        boolean all = true;
        for (HBaseProcess process : processes.reversed()) {
            OptionalInt status = process.isAlive() ? process.terminate(STOP_LIMIT) : OptionalInt.of(0);
            all &= status.isPresent();
        }
        return all;
    }

    /** Kills all processes for good. Idempotent. */
    @Override
    public void close() {
        supervisor.close();
        processes.reversed().forEach(HBaseProcess::close);
    }
}
