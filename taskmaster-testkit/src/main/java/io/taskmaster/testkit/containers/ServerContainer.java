package io.taskmaster.testkit.containers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.WaitContainerResultCallback;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports.Binding;
import io.taskmaster.testkit.process.FreePort;
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
 * A server in a container that can be killed, frozen, ended in good order and cut off its networks, and that comes back as the same: with its
 * data, on its ports. {@link #stop} is the end of it and of its data. Its methods block until they are done; {@link #start} until it serves.
 *
 * <p>Its ports are published on loopback if the daemon is on this machine. Single-threaded: owned by the test.
 */
public abstract sealed class ServerContainer<S extends ServerContainer<S>> extends GenericContainer<S>
        permits TaskMasterContainer, HBaseContainer {

    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    /** What it is cut off, by the id of the network. */
    private final Map<String, ContainerNetwork> cut = new TreeMap<>();

    ServerContainer(DockerImageName image) {
        super(image);
    }

    /** Starts it, at first or again, if it does not run. */
    @Override
    public void start() {
        if (getContainerId() != null && !isRunning()) {
            getDockerClient().startContainerCmd(getContainerId()).exec();
            waitUntilContainerStarted();
        } else {
            super.start();
        }
    }

    /** SIGKILL, running or frozen. */
    public void kill() {
        getDockerClient().killContainerCmd(getContainerId()).withSignal("KILL").exec();
        awaitEnd();
    }

    /** SIGTERM, and SIGKILL if it has not ended then. Its exit status. */
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

    /** Freezes all its processes where they are. Idempotent. */
    public void pause() {
        if (!isPaused()) {
            getDockerClient().pauseContainerCmd(getContainerId()).exec();
        }
    }

    /** Lets it go on. Idempotent. */
    public void resume() {
        if (isPaused()) {
            getDockerClient().unpauseContainerCmd(getContainerId()).exec();
        }
    }

    private boolean isPaused() {
        return Boolean.TRUE.equals(getCurrentContainerInfo().getState().getPaused());
    }

    /** Takes it off all its networks: nobody reaches it, and it reaches nobody. */
    public void cutOff() {
        networks().values().forEach(this::disconnect);
    }

    /** Takes it off one network. */
    public void cutOff(Network network) {
        networks().values().stream()
                .filter(link -> network.getId().equals(link.getNetworkID()))
                .forEach(this::disconnect);
    }

    /**
     * Puts it back on the networks that it was cut off. If a container was started there meanwhile it may have another address then, and
     * connections of before stay as dead as they were. Idempotent.
     */
    public void reconnect() {
        DockerClient docker = getDockerClient();
        cut.forEach((id, link) -> docker.connectToNetworkCmd()
                .withContainerId(getContainerId())
                .withNetworkId(id)
                .withContainerNetwork(new ContainerNetwork().withAliases(aliasesOf(link)))
                .exec());
        cut.clear();
    }

    /** Puts an end to all that was done to it, and to what it depends on. It serves when this comes back. */
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
        cut.put(id, link);
    }

    /** Docker's default network knows no names. */
    private static List<String> aliasesOf(ContainerNetwork link) {
        return link.getAliases() == null ? List.of() : link.getAliases();
    }

    @Override
    protected void configure() {
        withCreateContainerCmdModifier(this::publishPorts);
    }

    /** Docker's own choice would be another port after each start, and each return to a network. */
    private void publishPorts(CreateContainerCmd command) {
        List<PortBinding> ports = getExposedPorts().stream()
                .map(port -> new PortBinding(bindingOfItsOwn(), ExposedPort.tcp(port)))
                .toList();
        HostConfig host = Objects.requireNonNull(command.getHostConfig());
        command.withHostConfig(host.withPortBindings(ports));
    }

    private Binding bindingOfItsOwn() {
        int port = FreePort.onLoopback().getPort();
        return isDaemonHere() ? Binding.bindIpAndPort("127.0.0.1", port) : Binding.bindPort(port);
    }

    private boolean isDaemonHere() {
        try {
            return InetAddress.getByName(getHost()).isLoopbackAddress();
        } catch (UnknownHostException elsewhere) {
            return false;
        }
    }
}
