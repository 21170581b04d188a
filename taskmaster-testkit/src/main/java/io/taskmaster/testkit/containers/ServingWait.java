package io.taskmaster.testkit.containers;

import io.taskmaster.testkit.Health;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/**
 * A wait for the gRPC health service of a container to report SERVING for TaskMaster. It fails at once if the server
 * ends.
 */
final class ServingWait extends AbstractWaitStrategy {

    /** The interval at which Docker is asked whether the container still runs. */
    private static final Duration POLL_TIMEOUT = Duration.ofMillis(500);

    private final int port;

    ServingWait(int port) {
        this.port = port;
    }

    @Override
    protected void waitUntilReady() {
        var address = new InetSocketAddress(waitStrategyTarget.getHost(), waitStrategyTarget.getMappedPort(port));
        long begin = System.nanoTime();
        try {
            while (!Health.awaitServing(address, POLL_TIMEOUT, () -> true)) {
                if (!waitStrategyTarget.isRunning()) {
                    throw new ContainerLaunchException("the server ended before it was serving");
                }
                if (System.nanoTime() - begin > startupTimeout.toNanos()) {
                    throw new ContainerLaunchException("the server was not serving after " + startupTimeout);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ContainerLaunchException("interrupted while waiting for the server", interrupted);
        }
    }
}
