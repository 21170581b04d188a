package io.taskmaster.bench.micro;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.taskmaster.command.Command;
import io.taskmaster.command.Reply;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.config.ServerConfig;
import io.taskmaster.server.partition.Node;
import io.taskmaster.server.store.memory.MemoryStore;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The rate of one partition without RPC and without a disk: commands are submitted to a node on the memory store, 500
 * at a time in flight. Tasks have 1 KB and random PIDs. Each operation leaves as many tasks as it found.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class EngineBenchmark {

    private static final int OPERATIONS = 10_000;
    private static final int IN_FLIGHT = 500;
    private static final int BACKLOG = 20_000;
    private static final long LEASE_MILLIS = 60_000;
    private static final int MAX_BYTES = 1 << 20;

    private static final GroupName GROUP = GroupName.of("benchmark");
    private static final QueueKey FROM = new QueueKey(GROUP, QueueName.of("from"));
    private static final QueueKey TO = new QueueKey(GROUP, QueueName.of("to"));
    private static final Command.Payload PAYLOAD = new Command.Payload(Bytes.wrap(new byte[1_024]), Map.of());

    private final SplittableRandom random = new SplittableRandom(1);
    private final Semaphore places = new Semaphore(IN_FLIGHT);
    private Node node;

    /** A sink that passes a reply to the next step of an operation and ends the benchmark on an error. */
    @FunctionalInterface
    private interface Step extends ReplySink {

        @Override
        default void fail(TaskMasterException error) {
            halt(error);
        }
    }

    @Setup
    public void open() throws Exception {
        ServerConfig config = ServerConfig.reader(1L << 30)
                .set("store", "memory")
                .set("partitions", "1")
                .read();
        node = Nodes.open(config, new MemoryStore(), new SimpleMeterRegistry());
        for (QueueKey queue : List.of(FROM, TO)) {
            for (int i = 0; i < BACKLOG; i++) {
                start(update(List.of(enqueue(queue)), List.of()), this::end);
            }
        }
        settle();
    }

    @TearDown
    public void close() {
        node.close();
    }

    /** One enqueue and, when it is durable, one dequeue of the same task. */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void enqueueAndDequeue() {
        for (int i = 0; i < OPERATIONS; i++) {
            Command.Enqueue task = enqueue(FROM);
            Command.Dequeue back = new Command.Dequeue(FROM.name(), task.pid().orElseThrow(), 0);
            start(
                    update(List.of(task), List.of()),
                    enqueued -> node.submit(GROUP, update(List.of(), List.of(back)), (Step) this::end));
        }
        settle();
    }

    /** One lease of a task, and one update that dequeues it and enqueues its successor in another queue, and back. */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void handOff() {
        for (int i = 0; i < OPERATIONS; i++) {
            QueueKey source = i % 2 == 0 ? FROM : TO;
            QueueKey target = i % 2 == 0 ? TO : FROM;
            Command.Enqueue successor = enqueue(target);
            start(lease(source), leased -> {
                Reply.LeasedTask task = ((Reply.Leased) leased).tasks().getFirst();
                Command.Dequeue done = new Command.Dequeue(source.name(), task.pid(), task.leaseId());
                node.submit(GROUP, update(List.of(successor), List.of(done)), (Step) this::end);
            });
        }
        settle();
    }

    private void start(Command command, Step next) {
        places.acquireUninterruptibly();
        node.submit(GROUP, command, next);
    }

    private void end(Reply reply) {
        if (!(reply instanceof Reply.Updated updated && updated.success())) {
            halt(new AssertionError("refused: " + reply));
        }
        places.release();
    }

    /** Ends the process: an operation without an end would hang the benchmark. */
    private static void halt(Throwable cause) {
        cause.printStackTrace();
        Runtime.getRuntime().halt(1);
    }

    private void settle() {
        places.acquireUninterruptibly(IN_FLIGHT);
        places.release(IN_FLIGHT);
    }

    private Command.Enqueue enqueue(QueueKey queue) {
        byte[] pid = ByteBuffer.allocate(Long.BYTES).putLong(random.nextLong()).array();
        return new Command.Enqueue(queue.name(), Optional.of(Pid.wrap(pid)), PAYLOAD, Command.IfExists.COLLAPSE, 0);
    }

    private static Command update(List<Command.Enqueue> enqueues, List<Command.Dequeue> dequeues) {
        return new Command.Update(GROUP, enqueues, dequeues, List.of(), List.of());
    }

    private static Command lease(QueueKey queue) {
        return new Command.Lease(
                Command.Selector.of(queue), 1, MAX_BYTES, LEASE_MILLIS, Optional.empty(), 0, 0, "worker", "local");
    }
}
