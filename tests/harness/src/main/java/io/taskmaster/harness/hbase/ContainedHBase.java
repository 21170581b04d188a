package io.taskmaster.harness.hbase;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The main program of the HBase container. It starts HBase, restarts each process of it that ends, and stops it on
 * SIGTERM.
 *
 * <p>A marker file in memory exists while HBase takes writes; a container that was killed leaves none.
 *
 * <p>Clients reach master and region server under the container's name in their network. The processes reach each other
 * by loopback under the same name, so that a container that is cut off from its networks stays healthy.
 */
final class ContainedHBase {

    private static final Path READY_FILE = Path.of("/dev/shm/hbase-takes-writes");

    /** The file in which all Java programs of the container look up names, as the image configures them to. */
    private static final Path HOSTS = Path.of("/dev/shm/hosts");

    private static final Path FOLDER = Path.of("/var/lib/hbase/hbase");
    private static final String EVERYWHERE = "0.0.0.0";
    private static final int ZOOKEEPER_PORT = 2181;
    private static final long POLL_MILLIS = 200;

    private final HBaseCluster hbase;

    private ContainedHBase(HBaseCluster hbase) {
        this.hbase = hbase;
    }

    /** @param arguments the name under which clients reach the container */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        String host = arguments[0];
        Files.writeString(HOSTS, "127.0.0.1 localhost %s %s%n".formatted(host, System.getenv("HOSTNAME")));
        print("HBase starts");
        ContainedHBase contained = new ContainedHBase(HBaseCluster.start(plan(host)));
        Runtime.getRuntime().addShutdownHook(new Thread(contained::stop, "stop"));
        while (true) {
            contained.superviseUntilExit();
            contained.awaitReady();
        }
    }

    /**
     * Returns the plan of the cluster. Clients connect to ZooKeeper, master and region server; HDFS stays on loopback,
     * the default.
     */
    private static HBasePlan plan(String host) {
        return HBasePlan.in(FOLDER)
                .withSupervision()
                .withZookeeperPort(ZOOKEEPER_PORT)
                .with("hbase.zookeeper.property.clientPortAddress", EVERYWHERE)
                .with("hbase.master.hostname", host)
                .with("hbase.master.ipc.address", EVERYWHERE)
                .with("hbase.unsafe.regionserver.hostname", host)
                .with("hbase.regionserver.ipc.address", EVERYWHERE);
    }

    private void superviseUntilExit() throws InterruptedException, IOException {
        print("HBase accepts writes");
        Files.createFile(READY_FILE);
        int starts = starts();
        while (starts() == starts) {
            Thread.sleep(POLL_MILLIS);
        }
        Files.delete(READY_FILE);
    }

    private int starts() {
        return hbase.processes().stream().mapToInt(HBaseProcess::starts).sum();
    }

    /** Waits until HBase takes writes, even if parts of it end repeatedly meanwhile. */
    private void awaitReady() throws InterruptedException {
        print("a process of HBase ended and was restarted");
        boolean ready = false;
        while (!ready) {
            try {
                hbase.awaitReady();
                ready = true;
            } catch (HBaseException failure) {
                String message = String.valueOf(failure.getMessage());
                print(message.lines().findFirst().orElse(message));
            }
        }
    }

    /** Stops HBase and halts: after a signal, only a halt ends a JVM with a chosen exit status. */
    private void stop() {
        print("HBase stops");
        try (hbase) {
            Runtime.getRuntime().halt(hbase.stop() ? 0 : 1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void print(String line) {
        System.out.println(line);
    }
}
