package io.taskmaster.harness.process;

import io.taskmaster.testkit.FreePort;
import io.taskmaster.testkit.Health;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * A TaskMaster server in a process of its own, which can be killed, frozen, terminated, and started again with the same
 * data on the same address. It never outlives this process. Its states are those of {@link ChildJvm}. Thread-safe.
 *
 * <pre>{@code
 * try (ServerProcess server = ServerProcess.start(ServerPlan.in(folder))) {
 *     // clients of server.target() ...
 *     server.kill();
 *     server.start();
 *     server.awaitServing();
 * }
 * }</pre>
 */
public final class ServerProcess implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    private final InetSocketAddress address;
    private final ChildJvm jvm;

    private ServerProcess(InetSocketAddress address, ChildJvm jvm) {
        this.address = address;
        this.jvm = jvm;
    }

    /** Starts a server on a free port of loopback, and waits until it serves. Blocks. */
    public static ServerProcess start(ServerPlan plan) throws InterruptedException {
        return FreePort.open(address -> startAt(address, plan));
    }

    private static ServerProcess startAt(InetSocketAddress address, ServerPlan plan)
            throws FreePort.TakenException, InterruptedException {
        ServerProcess server = new ServerProcess(address, ChildJvm.start(plan.command(address), plan.log()));
        try {
            server.awaitServing();
            return server;
        } catch (IllegalStateException failed) {
            server.close();
            FreePort.throwIfTaken(server.lastOutput());
            throw failed;
        }
    }

    /** Returns the address for clients, which stays the same over restarts. */
    public InetSocketAddress address() {
        return address;
    }

    /** Returns the address for clients in the form of gRPC: host and port. */
    public String target() {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** Starts it again, if it does not run. Does not wait until it serves. */
    public void start() {
        jvm.start();
    }

    /**
     * Waits until it serves.
     *
     * @throws IllegalStateException if it ends before, or takes too long
     */
    public void awaitServing() throws InterruptedException {
        if (!Health.awaitServing(address, START_LIMIT, jvm::isAlive)) {
            throw new IllegalStateException("the server does not serve: " + lastOutput());
        }
    }

    /** Kills it with SIGKILL. */
    public void kill() {
        jvm.kill();
    }

    /**
     * Terminates it with SIGTERM, after which it drains. Returns its exit status; empty if it had to be killed. Blocks.
     */
    public OptionalInt terminate() throws InterruptedException {
        return jvm.terminate(STOP_LIMIT);
    }

    /** Freezes it with SIGSTOP. */
    public void pause() {
        jvm.pause();
    }

    /** Thaws it with SIGCONT. */
    public void resume() {
        jvm.resume();
    }

    /** Returns whether it runs or is frozen. */
    public boolean isAlive() {
        return jvm.isAlive();
    }

    /** Returns the id of the process that was started last. */
    public long pid() {
        return jvm.pid();
    }

    /** Returns the number of starts. */
    public int starts() {
        return jvm.starts();
    }

    /** Returns the end of its log. */
    public String lastOutput() {
        return jvm.lastOutput();
    }

    /** Kills it for good. Idempotent. */
    @Override
    public void close() {
        jvm.close();
    }
}
