package io.taskmaster.testkit.containers;

import com.github.dockerjava.api.command.InspectContainerResponse;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.proxy.program.Version;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.testcontainers.utility.DockerImageName;

/**
 * A TaskMaster server in a container, with default settings but a small heap.
 *
 * <pre>{@code
 * try (var taskmaster = new TaskMasterContainer().withSetting("partitions", "8")) {
 *     taskmaster.start();
 *     taskmaster.client().blocking().enqueue(queue, data);
 *     taskmaster.kill();
 *     taskmaster.start();
 *     // nothing acknowledged is lost
 * }
 * }</pre>
 */
public final class TaskMasterContainer extends ServerContainer<TaskMasterContainer> {

    static final DockerImageName IMAGE =
            DockerImageName.parse("taskmaster/taskmaster").withTag(Version.current());

    private static final int PORT = 7400;
    private static final int HTTP_PORT = 7480;
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private final Map<String, String> settings = new LinkedHashMap<>();
    private @Nullable HBaseContainer hbase;
    private @Nullable TaskMasterClient client;

    /** Creates a container of the image {@code taskmaster/taskmaster} of this version. */
    public TaskMasterContainer() {
        this(IMAGE);
    }

    /**
     * Creates a container of another image, built from the project's Dockerfile or compatible with it: its entry point
     * is {@code taskmaster server}.
     */
    public TaskMasterContainer(DockerImageName image) {
        super(image);
        withExposedPorts(PORT, HTTP_PORT);
        withEnv("TASKMASTER_OPTS", "-Xmx512m");
        waitingFor(new ServingWait(PORT).withStartupTimeout(TIMEOUT));
    }

    /** Sets the kind of store. Default: {@code rocksdb}. */
    public TaskMasterContainer withStore(String kind) {
        return withSetting("store", kind);
    }

    /**
     * Stores the data in an HBase, which is started first if it does not run. The server reaches it over its network.
     */
    public TaskMasterContainer withHBase(HBaseContainer container) {
        hbase = container;
        return dependsOn(container);
    }

    /** Sets a setting of the server's configuration file; see {@code docs/configuration.md}. */
    public TaskMasterContainer withSetting(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /** Returns host and port for clients of the contract, in any language. */
    public String target() {
        return getHost() + ":" + getMappedPort(PORT);
    }

    /** Returns host and port of the HTTP service. */
    public String httpTarget() {
        return getHost() + ":" + getMappedPort(HTTP_PORT);
    }

    /** Returns a client with default settings, shared by all tests. Closed when the container is stopped. */
    public TaskMasterClient client() {
        if (client == null) {
            client = TaskMasterClient.connect(target());
        }
        return client;
    }

    @Override
    protected void configure() {
        super.configure();
        List<String> arguments = new ArrayList<>();
        if (hbase != null) {
            arguments.addAll(List.of("--store", "hbase", "--zookeeper", hbase.zookeeper()));
        }
        settings.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        withCommand(arguments.toArray(String[]::new));
    }

    /** Cuts it off from its HBase, but not from its clients; {@link #reconnect} undoes it. */
    public void cutOffHBase() {
        cutOff(Objects.requireNonNull(hbase, "hbase: none").getNetwork());
    }

    /**
     * Connects the container to the network of its HBase. Clients come over Docker's default network, so that a cut of
     * one does not cut the other.
     */
    @Override
    protected void containerIsCreated(String id) {
        if (hbase != null) {
            getDockerClient()
                    .connectToNetworkCmd()
                    .withContainerId(id)
                    .withNetworkId(hbase.getNetwork().getId())
                    .exec();
        }
    }

    @Override
    protected void containerIsStopping(InspectContainerResponse info) {
        if (client != null) {
            client.close();
            client = null;
        }
    }
}
