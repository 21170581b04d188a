package io.taskmaster.testkit.hbase;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.testkit.process.ChildJvm;
import io.taskmaster.testkit.process.JvmCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;

/** A process of an {@link HBaseCluster}, which can be killed, frozen, and started again with the same data at the same port. Thread-safe. */
public final class HBaseProcess implements Startable {

    private static final Duration LISTEN_LIMIT = Duration.ofMinutes(1);
    private static final long POLL_MILLIS = 10;

    private final Member member;
    private final int port;
    private final ChildJvm jvm;
    private final ReentrantLock lock = new ReentrantLock();

    /** Whether it should run, as far as we were told. */
    @GuardedBy("lock")
    private boolean wanted;

    HBaseProcess(Member member, int port, JvmCommand command, Path log) {
        this.member = member;
        this.port = port;
        this.jvm = ChildJvm.of(command, log);
    }

    @Override
    public Member member() {
        return member;
    }

    /** What it does. */
    public Role role() {
        return member.role();
    }

    /** What it is called in messages, and its log: the role, with a number if there may be several. */
    public String name() {
        return member.name();
    }

    /** Where it listens on loopback. */
    public int port() {
        return port;
    }

    /** Starts it again if it does not run. Does not wait until it does its work. */
    @Override
    public void start() {
        lock.lock();
        try {
            wanted = true;
            jvm.start();
        } finally {
            lock.unlock();
        }
    }

    /** Starts it again if it has ended by itself. */
    void startIfEnded() {
        lock.lock();
        try {
            if (wanted) {
                jvm.start();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Comes back when it accepts connections. Whether the HBase does its work again is told by {@link HBaseCluster#awaitReady()}.
     *
     * @throws HBaseException if it ends before, or takes too long
     */
    public void awaitListening() throws InterruptedException {
        long deadlineNanos = System.nanoTime() + LISTEN_LIMIT.toNanos();
        while (!accepts()) {
            if (!isAlive() || System.nanoTime() - deadlineNanos > 0) {
                throw new HBaseException("%s does not listen:%n%s".formatted(name(), lastWords()));
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

    /** SIGKILL. */
    @Override
    public void kill() {
        lock.lock();
        try {
            wanted = false;
            jvm.kill();
        } finally {
            lock.unlock();
        }
    }

    /** SIGTERM. Its exit status; empty if it had to be killed. Blocks. */
    public OptionalInt terminate(Duration limit) throws InterruptedException {
        lock.lock();
        try {
            wanted = false;
            return jvm.terminate(limit);
        } finally {
            lock.unlock();
        }
    }

    /** SIGSTOP. */
    public void pause() {
        jvm.pause();
    }

    /** SIGCONT. */
    public void resume() {
        jvm.resume();
    }

    /** Whether it runs, or is frozen. */
    @Override
    public boolean isAlive() {
        return jvm.isAlive();
    }

    /** The id of the process that was started last. */
    public long pid() {
        return jvm.pid();
    }

    /** How often it was started. */
    public int starts() {
        return jvm.starts();
    }

    @Override
    public String lastWords() {
        return jvm.lastWords();
    }

    void close() {
        jvm.close();
    }
}
