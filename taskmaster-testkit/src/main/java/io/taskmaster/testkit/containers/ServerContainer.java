package io.taskmaster.testkit.containers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.WaitContainerResultCallback;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports.Binding;
import io.taskmaster.testkit.FreePort;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.lifecycle.Startable;
import org.testcontainers.utility.DockerImageName;

/**
 * A server in a container that can be killed, frozen, terminated and cut off from its networks, and that is restarted
 * with the same data and ports.
 *
 * <pre>{@code
 * state   | event       | next state | effect
 * --------+-------------+------------+------------------------------------------------
 * new     | start()     | running    | creates the container
 * running | kill()      | ended      | SIGKILL
 * running | terminate() | ended      | SIGTERM, then SIGKILL after 30 s
 * running | pause()     | frozen     |
 * frozen  | resume()    | running    |
 * frozen  | kill()      | ended      | SIGKILL
 * ended   | start()     | running    | the same container: same data, same ports
 * any     | stop()      | gone       | removes the container and its data
 * }</pre>
 *
 * Independently of that, {@link #cutOff()} takes it off its networks and {@link #reconnect} puts it back. Methods block
 * until they are done; {@link #start} blocks until the server serves.
 *
 * <p>Its ports are published on loopback if the daemon is on this machine. Single-threaded: owned by the test.
 */
public abstract sealed class ServerContainer<S extends ServerContainer<S>> extends GenericContainer<S>
        permits TaskMasterContainer, HBaseContainer {

    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    /** The connections that are cut, by the id of the network. */
    private final Map<String, ContainerNetwork> disconnected = new TreeMap<>();

    ServerContainer(DockerImageName image) {
        super(image);
    }

    /** Starts the container, or starts it again, if it does not run. */
    @Override
    public void start() {
        if (getContainerId() != null && !isRunning()) {
            getDockerClient().startContainerCmd(getContainerId()).exec();
            waitUntilContainerStarted();
        } else {
            super.start();
        }
    }

    /** Kills the container with SIGKILL, running or frozen. */
    public void kill() {
        getDockerClient().killContainerCmd(getContainerId()).withSignal("KILL").exec();
        awaitEnd();
    }

    /** Terminates the container with SIGTERM, then SIGKILL if it has not ended in time. Returns its exit status. */
    public int terminate() {
        getDockerClient()
                .stopContainerCmd(getContainerId())
                .withTimeout(Math.toIntExact(STOP_LIMIT.toSeconds()))
                .exec();
        return awaitEnd();
    }

    private int awaitEnd() {
        return getDockerClient()
                .waitContainerCmd(getContainerId())
                .exec(new WaitContainerResultCallback())
                .awaitStatusCode(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Freezes all its processes. Idempotent. */
    public void pause() {
        if (!isPaused()) {
            getDockerClient().pauseContainerCmd(getContainerId()).exec();
        }
    }

    /** Thaws it. Idempotent. */
    public void resume() {
        if (isPaused()) {
            getDockerClient().unpauseContainerCmd(getContainerId()).exec();
        }
    }

    private boolean isPaused() {
        return Boolean.TRUE.equals(getCurrentContainerInfo().getState().getPaused());
    }

    /** Disconnects it from all its networks, in both directions. */
    public void cutOff() {
        networks().values().forEach(this::disconnect);
    }

    /** Disconnects it from one network. */
    public void cutOff(Network network) {
        networks().values().stream()
                .filter(link -> network.getId().equals(link.getNetworkID()))
                .forEach(this::disconnect);
    }

    /**
     * Reconnects it to the networks from which it was cut off. If a container was started there meanwhile, its address
     * may be another one, and earlier connections stay dead. Idempotent.
     */
    public void reconnect() {
        DockerClient docker = getDockerClient();
        disconnected.forEach((id, link) -> docker.connectToNetworkCmd()
                .withContainerId(getContainerId())
                .withNetworkId(id)
                .withContainerNetwork(new ContainerNetwork().withAliases(aliasesOf(link)))
                .exec());
        disconnected.clear();
    }

    /** Undoes every fault of it, and of the containers on which it depends. It serves when this returns. */
    public void heal() {
        for (Startable dependency : getDependencies()) {
            if (dependency instanceof ServerContainer<?> server) {
                server.heal();
            }
        }
        reconnect();
        resume();
        start();
        waitUntilContainerStarted();
    }

    private Map<String, ContainerNetwork> networks() {
        return getCurrentContainerInfo().getNetworkSettings().getNetworks();
    }

    private void disconnect(ContainerNetwork link) {
        String id = Objects.requireNonNull(link.getNetworkID());
        getDockerClient()
                .disconnectFromNetworkCmd()
                .withContainerId(getContainerId())
                .withNetworkId(id)
                .exec();
        disconnected.put(id, link);
    }

    /** Returns the aliases of a connection. Docker's default network has none. */
    private static List<String> aliasesOf(ContainerNetwork link) {
        return link.getAliases() == null ? List.of() : link.getAliases();
    }

    @Override
    protected void configure() {
        withCreateContainerCmdModifier(this::publishPorts);
    }

    /** Fixes the published ports: Docker's own choice would change with each start, and each return to a network. */
    private void publishPorts(CreateContainerCmd command) {
        List<PortBinding> ports = getExposedPorts().stream()
                .map(port -> new PortBinding(bindingOfItsOwn(), ExposedPort.tcp(port)))
                .toList();
        HostConfig host = Objects.requireNonNull(command.getHostConfig());
        command.withHostConfig(host.withPortBindings(ports));
    }

    private Binding bindingOfItsOwn() {
        int port = FreePort.onLoopback().getPort();
        return isDaemonLocal() ? Binding.bindIpAndPort("127.0.0.1", port) : Binding.bindPort(port);
    }

    private boolean isDaemonLocal() {
        try {
            return InetAddress.getByName(getHost()).isLoopbackAddress();
        } catch (UnknownHostException elsewhere) {
            return false;
        }
    }
}
