package io.taskmaster.testkit.containers;

import io.taskmaster.server.Version;
import java.time.Duration;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * An HBase on HDFS, all of it in one container, for servers in other containers: every write is on the disk before it is acknowledged. Clients
 * outside of its network do not reach it.
 *
 * <p>Frozen for longer than a few seconds, master and region server find their sessions expired when it goes on, as they would anywhere; they
 * end, are started again, and HBase takes writes again some 30 seconds later.
 */
public final class HBaseContainer extends ServerContainer<HBaseContainer> {

    static final DockerImageName IMAGE =
            DockerImageName.parse("taskmaster/hbase").withTag(Version.current());

    /** HBase tells clients to come to this host, which they find under this name on its network. */
    private static final String HOST = "hbase";

    private static final int ZOOKEEPER_PORT = 2181;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Of the image {@code taskmaster/hbase} of this version, on a network of its own. */
    public HBaseContainer() {
        this(IMAGE);
    }

    /** Of another image, built from the project's Dockerfile. */
    public HBaseContainer(DockerImageName image) {
        super(image);
        withNetwork(Network.newNetwork());
        withNetworkAliases(HOST);
        withCommand(HOST);
        waitingFor(
                Wait.forSuccessfulCommand("test -f /dev/shm/hbase-takes-writes").withStartupTimeout(PATIENCE));
    }

    /** Where clients on its network find it: host and port of its ZooKeeper. */
    public String zookeeper() {
        return HOST + ":" + ZOOKEEPER_PORT;
    }
}
