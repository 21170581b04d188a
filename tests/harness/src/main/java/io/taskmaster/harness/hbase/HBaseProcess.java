package io.taskmaster.harness.hbase;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.harness.process.ChildJvm;
import io.taskmaster.harness.process.JvmCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A process of an {@link HBaseCluster}, which can be killed, frozen, and started again with the same data at the same
 * port. Its states are those of {@link ChildJvm}; beside them it is wanted from {@link #start} until {@link #kill} or
 * {@link #terminate}, and a {@link Supervisor} restarts it only while it is wanted. Thread-safe.
 */
public final class HBaseProcess implements Startable {

    private static final Duration LISTEN_LIMIT = Duration.ofMinutes(1);
    private static final long POLL_MILLIS = 10;

    private final Member member;
    private final int port;
    private final ChildJvm jvm;
    private final ReentrantLock lock = new ReentrantLock();

    /** True if it should run: the last call was a start. */
    @GuardedBy("lock")
    private boolean shouldRun;

    HBaseProcess(Member member, int port, JvmCommand command, Path log) {
        this.member = member;
        this.port = port;
        this.jvm = ChildJvm.of(command, log);
    }

    @Override
    public Member member() {
        return member;
    }

    /** Returns its role. */
    public DaemonRole daemonRole() {
        return member.daemonRole();
    }

    /** Returns its name in messages, and of its log: the role, with a number if there may be several. */
    public String name() {
        return member.name();
    }

    /** Returns its port on loopback. */
    public int port() {
        return port;
    }

    /** Starts it again, if it does not run. Does not wait until it works. */
    @Override
    public void start() {
        lock.lock();
        try {
            shouldRun = true;
            jvm.start();
        } finally {
            lock.unlock();
        }
    }

    /** Starts it again, if it has ended by itself. */
    void startIfEnded() {
        lock.lock();
        try {
            if (shouldRun) {
                jvm.start();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until it accepts connections. {@link HBaseCluster#awaitReady()} waits until the HBase takes work again.
     *
     * @throws HBaseException if it ends before, or takes too long
     */
    public void awaitListening() throws InterruptedException {
        long deadlineNanos = System.nanoTime() + LISTEN_LIMIT.toNanos();
        while (!accepts()) {
            if (!isAlive() || System.nanoTime() - deadlineNanos > 0) {
                throw new HBaseException("%s does not listen:%n%s".formatted(name(), lastOutput()));
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private boolean accepts() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** Kills it with SIGKILL. */
    @Override
    public void kill() {
        lock.lock();
        try {
            shouldRun = false;
            jvm.kill();
        } finally {
            lock.unlock();
        }
    }

    /** Terminates it with SIGTERM. Returns its exit status; empty if it had to be killed. Blocks. */
    public OptionalInt terminate(Duration limit) throws InterruptedException {
        lock.lock();
        try {
            shouldRun = false;
            return jvm.terminate(limit);
        } finally {
            lock.unlock();
        }
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
    @Override
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

    @Override
    public String lastOutput() {
        return jvm.lastOutput();
    }

    void close() {
        jvm.close();
    }
}
