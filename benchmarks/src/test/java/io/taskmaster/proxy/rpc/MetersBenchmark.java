package io.taskmaster.proxy.rpc;

import io.grpc.Status;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.taskmaster.proxy.metrics.Metrics;
import io.taskmaster.proxy.rpc.call.CallMeter;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.MeteredStore;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.memory.MemoryStore;
import io.taskmaster.v1.TaskMasterGrpc;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of measuring an operation of the store and a request, with everything registered as on a server. The store
 * reads nothing and completes at once; {@code bare} is the same without meters.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class MetersBenchmark {

    private final Metrics metrics = new Metrics();
    private final CompositeMeterRegistry registry = new CompositeMeterRegistry();
    private final Store bare = new MemoryStore();
    private Store metered = bare;
    private CallMeter calls = new CallMeter(TaskMasterGrpc.getUpdateTasksMethod(), registry);

    @Setup
    public void start() {
        registry.add(metrics.registry());
        metered = new MeteredStore(bare, registry);
        calls = new CallMeter(TaskMasterGrpc.getUpdateTasksMethod(), metrics.registry());
    }

    @TearDown
    public void stop() {
        metrics.close();
    }

    @Benchmark
    public CompletableFuture<List<Optional<Cell>>> bare() {
        return bare.read(List.of());
    }

    @Benchmark
    public CompletableFuture<List<Optional<Cell>>> metered() {
        return metered.read(List.of());
    }

    @Benchmark
    public void request() {
        calls.end(calls.begin(), Status.Code.OK, false);
    }
}
