package io.taskmaster.testkit.containers;

import io.taskmaster.proxy.program.Version;
import java.time.Duration;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * An HBase on HDFS in a single container, for servers in other containers. Every write is on disk before it is
 * acknowledged. Clients outside of its network cannot reach it.
 *
 * <p>After a freeze of more than a few seconds, master and region server find their sessions expired, as anywhere else.
 * They end and are restarted, and HBase takes writes again some 30 seconds later.
 */
public final class HBaseContainer extends ServerContainer<HBaseContainer> {

    static final DockerImageName IMAGE =
            DockerImageName.parse("taskmaster/hbase").withTag(Version.current());

    /** The host to which HBase refers clients, by its name on their network. */
    private static final String HOST = "hbase";

    private static final int ZOOKEEPER_PORT = 2181;
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    /** Creates a container of the image {@code taskmaster/hbase} of this version, on a network of its own. */
    public HBaseContainer() {
        this(IMAGE);
    }

    /** Creates a container of another image, built from the project's Dockerfile. */
    public HBaseContainer(DockerImageName image) {
        super(image);
        withNetwork(Network.newNetwork());
        withNetworkAliases(HOST);
        withCommand(HOST);
        waitingFor(
                Wait.forSuccessfulCommand("test -f /dev/shm/hbase-takes-writes").withStartupTimeout(TIMEOUT));
    }

    /** Returns the address for clients on its network: host and port of its ZooKeeper. */
    public String zookeeper() {
        return HOST + ":" + ZOOKEEPER_PORT;
    }
}
