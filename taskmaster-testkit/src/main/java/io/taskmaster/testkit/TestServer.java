package io.taskmaster.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.ManagedChannel;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyChannelBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.proxy.rpc.RpcServerOptions;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.config.ServerConfig;
import io.taskmaster.server.config.StoreKind;
import io.taskmaster.server.partition.Node;
import io.taskmaster.server.partition.PartitionNode;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.memory.MemoryStore;
import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.oracle.Oracle;
import io.taskmaster.testkit.oracle.verdict.OracleSettings;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.QueueSummary;
import io.taskmaster.v1.TaskMasterGrpc;
import io.taskmaster.v1.TaskMasterGrpc.TaskMasterBlockingStub;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A complete TaskMaster server in the process of a test: engine, log, recovery, gRPC and HTTP are those of a production
 * server. Its ports are free ones, and stay the same over restarts.
 *
 * <p>A test moves its clock ({@link #advance}), so that leases expire and delays end without a sleep. It plans faults
 * for its clients ({@link #faults}). It stops the server with a rundown ({@link #stop}) or without one
 * ({@link #crash}), and starts it again on the same data:
 *
 * <pre>{@code
 * state | event     | next state | effect
 * ------+-----------+------------+-------------------------------------------------------------------------
 * down  | start()   | up         | recovers from the store and the log; same ports
 * up    | stop()    | down       | held replies are released, calls answered, dirty state written back
 * up    | crash()   | down       | connections break; recovery needs the commit log
 * any   | close()   | down       | as stop(); the client and the channel are closed, too
 * }</pre>
 *
 * Other events do nothing.
 *
 * <p>A crash within a process is weaker than the death of one: whatever the server has passed to its store is written.
 * Where that matters, and for pauses, run a server in a process of its own ({@code io.taskmaster.harness.process}). See
 * {@code docs/guide/testing.md}. Thread-safe.
 */
public final class TestServer implements AutoCloseable {

    private static final long TIMEOUT_SECONDS = 30;

    private final ReentrantLock lock = new ReentrantLock();
    private final ServerConfig config;
    private final TestClock clock;
    private final CallFaults faults = new CallFaults();
    private final RpcServerOptions options;
    private final @Nullable RecordingInterceptor recorder;

    /** The data in memory, which survives restarts. */
    private final Store memory = new RetainedStore(new MemoryStore());

    @GuardedBy("lock")
    private @Nullable TaskMasterServer server;

    /** The node of the running server. */
    @GuardedBy("lock")
    private @Nullable PartitionNode node;

    @GuardedBy("lock")
    private @Nullable TaskMasterClient client;

    @GuardedBy("lock")
    private @Nullable ManagedChannel channel;

    /** @param recorded whether calls are recorded */
    TestServer(ServerConfig config, TestClock clock, List<ServerInterceptor> around, boolean recorded) {
        this.config = config;
        this.clock = clock;
        recorder = recorded ? new RecordingInterceptor(clock) : null;
        List<ServerInterceptor> interceptors = new ArrayList<>();
        interceptors.add(new FaultInterceptor(faults));
        interceptors.addAll(around);
        if (recorder != null) {
            interceptors.add(recorder);
        }
        options = new RpcServerOptions(clock, interceptors);
    }

    /** Starts a server with its data in memory. */
    public static TestServer inMemory() {
        return builder().start();
    }

    public static TestServerBuilder builder() {
        return new TestServerBuilder();
    }

    /** Returns host and port for clients of the contract, in any language. */
    public String target() {
        return config.listen().rpc().toString();
    }

    /** Returns host and port of the HTTP service. */
    public String httpTarget() {
        return config.listen().http().toString();
    }

    /** Returns a client with default settings, shared by all tests. Closed with the server. */
    public TaskMasterClient client() {
        lock.lock();
        try {
            if (client == null) {
                client = TaskMasterClient.connect(target());
            }
            return client;
        } finally {
            lock.unlock();
        }
    }

    /** Returns a channel for generated stubs. Closed with the server. */
    public ManagedChannel channel() {
        lock.lock();
        try {
            if (channel == null) {
                channel = NettyChannelBuilder.forTarget(target())
                        .usePlaintext()
                        .maxInboundMessageSize(Integer.MAX_VALUE)
                        .build();
            }
            return channel;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the faults for clients, to plan some. */
    public CallFaults faults() {
        return faults;
    }

    /**
     * Returns the history of all clients since the start, or since it was forgotten. Times are those of the server's
     * clock.
     *
     * @throws IllegalStateException if the server was not built to record it
     */
    public History history() {
        return recorder().history();
    }

    /** Returns the oracle's verdict on {@link #history}. */
    public OracleVerdict verdict() {
        return Oracle.judge(
                history(),
                OracleSettings.DEFAULT.withDedupWindow(config.memory().dedupWindow()));
    }

    /** Begins a new history. The new one can be judged only if there are no tasks now, and no calls in flight. */
    public void forgetHistory() {
        recorder().forget();
    }

    private RecordingInterceptor recorder() {
        if (recorder == null) {
            throw new IllegalStateException("history: none (expected: a server built with recording())");
        }
        return recorder;
    }

    /** Deletes all tasks of all queues of all groups. Options of queues stay. Blocks. */
    public void deleteAllQueues() {
        TaskMasterBlockingStub stub = TaskMasterGrpc.newBlockingStub(channel())
                .withWaitForReady()
                .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        ListRequest all = ListRequest.newBuilder()
                .setQueues(QueueSelector.newBuilder().setAllGroups(true))
                .build();
        for (ListReply remaining = stub.listQueues(all);
                remaining.getQueuesCount() > 0;
                remaining = stub.listQueues(all)) {
            for (QueueSummary queue : remaining.getQueuesList()) {
                QueueSelector one = QueueSelector.newBuilder()
                        .setGroup(queue.getGroup())
                        .addNames(queue.getName())
                        .build();
                stub.deleteQueues(DeleteRequest.newBuilder().setQueues(one).build());
            }
        }
    }

    /** Returns the time of the server's clock, with which {@code notBefore} is compared. */
    public Instant now() {
        return clock.now();
    }

    /**
     * Advances the server's clock: leases expire, delays end, long polls return and request ids are forgotten, as if so
     * much time had passed at once. When this returns, every timer that is due has run. Clients have clocks of their
     * own.
     */
    public void advance(Duration span) {
        lock.lock();
        try {
            clock.advance(span);
            if (node != null) {
                node.clockMoved().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("advance: interrupted", interrupted);
        } catch (ExecutionException | TimeoutException stuck) {
            throw new IllegalStateException("advance: the server made no progress", stuck);
        } finally {
            lock.unlock();
        }
    }

    /** Starts the server on the same data and ports, if it is down. Blocks until it has recovered. */
    public void start() {
        lock.lock();
        try {
            if (server == null) {
                var opened = new AtomicReference<@Nullable PartitionNode>();
                server = TaskMasterServer.start(config, (settled, meters) -> opening(settled, meters, opened), options);
                node = opened.get();
            }
        } catch (StartException failed) {
            throw new IllegalStateException(failed.getMessage(), failed);
        } finally {
            lock.unlock();
        }
    }

    private Node opening(ServerConfig settled, MeterRegistry meters, AtomicReference<@Nullable PartitionNode> opened)
            throws StartException {
        Store store = settled.store().kind() == StoreKind.MEMORY ? memory : Nodes.openStore(settled.store());
        PartitionNode made = Nodes.open(settled, store, clock, meters);
        opened.set(made);
        return made;
    }

    /**
     * Stops the server as on SIGTERM: calls in flight are answered, held or not, and dirty state is written back.
     * Idempotent; blocks.
     */
    public void stop() {
        lock.lock();
        try {
            if (server != null) {
                faults.release();
                server.stop();
                server = null;
                node = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Stops the server as abruptly as is possible within a process: connections break, no call is answered, and state
     * that was not written back is only in the commit log, from which {@link #start} recovers. Idempotent; blocks.
     */
    public void crash() {
        lock.lock();
        try {
            if (server != null) {
                server.abort();
                server = null;
                node = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Stops the server and starts it on the same data. Blocks. */
    public void restart() {
        stop();
        start();
    }

    /** Stops the server, and closes the client and the channel. Idempotent; blocks. */
    @Override
    public void close() {
        lock.lock();
        try {
            stop();
            if (client != null) {
                client.close();
            }
            if (channel != null) {
                channel.shutdownNow();
            }
        } finally {
            lock.unlock();
        }
    }
}
