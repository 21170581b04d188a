package io.taskmaster.bench.micro;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStages;
import io.taskmaster.stage.local.Overflow;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of passing an event on: to a stage that is a call, to a stage behind a boundary, and, for comparison,
 * through a Disruptor and a queue of the JDK. One thread offers, and waits while the buffer is full; another handles.
 * An invocation ends when the last event has been handled. The handler only counts.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class HopBenchmark {

    private static final int EVENTS = 100_000;
    private static final int CAPACITY = 4_096;

    /**
     * A counter that signals the end of an invocation; written by one thread at a time. The running count and the
     * published one are on different cache lines, so that counting does not disturb the reader.
     */
    private static final class Count {

        private static final int EVENTS_SEEN = 16;
        private static final int ENDS = 40;

        private final AtomicLongArray counts = new AtomicLongArray(56);

        void add(long more) {
            long events = counts.getPlain(EVENTS_SEEN) + more;
            counts.setPlain(EVENTS_SEEN, events);
            if (events % EVENTS == 0) {
                counts.set(ENDS, events);
            }
        }

        void awaitEnd(long total) {
            while (counts.get(ENDS) < total) {
                Thread.onSpinWait();
            }
        }
    }

    private static final class Cell {
        private Object event = "";
    }

    private final Object event = new Object();
    private final Count count = new Count();
    private long total;
    private LocalStages stages;
    private LocalStage<Object> fused;
    private LocalStage<Object> bounded;
    private LocalStage<Object> batched;
    private Disruptor<Cell> single;
    private Disruptor<Cell> multi;
    private ArrayBlockingQueue<Object> queue;
    private Thread consumer;

    @Setup
    public void start() {
        stages = LocalStages.start();
        fused = stages.add("fused", stage -> stage.handler(_ -> count.add(1)));
        bounded = stages.add(
                "bounded", stage -> stage.handler(_ -> count.add(1)).boundary(CAPACITY, b -> b.overflow(block())));
        batched = stages.add(
                "batched",
                stage -> stage.batchHandler(256, (events, _) -> events.forEach(_ -> count.add(1)))
                        .boundary(CAPACITY, b -> b.overflow(block())));
        single = disruptor(ProducerType.SINGLE);
        multi = disruptor(ProducerType.MULTI);
        queue = new ArrayBlockingQueue<>(CAPACITY);
        consumer = Thread.ofPlatform().daemon().start(this::consumeAll);
    }

    /** Returns the overflow that the alternatives have too: to block until there is space. */
    private static Overflow<Object> block() {
        return Overflow.block(Duration.ofMinutes(1));
    }

    private Disruptor<Cell> disruptor(ProducerType producers) {
        Disruptor<Cell> disruptor = new Disruptor<>(
                Cell::new, CAPACITY, Thread.ofPlatform().daemon().factory(), producers, new YieldingWaitStrategy());
        disruptor.handleEventsWith((cell, _, _) -> count.add(event.equals(cell.event) ? 1 : 0));
        return disruptor;
    }

    private void consumeAll() {
        try {
            while (true) {
                queue.take();
                count.add(1);
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    @TearDown
    public void stop() {
        stages.close();
        consumer.interrupt();
        single.halt();
        multi.halt();
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public void fused() {
        offerAll(fused);
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public void boundary() {
        offerAll(bounded);
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public void boundaryInBatches() {
        offerAll(batched);
    }

    private void offerAll(LocalStage<Object> stage) {
        for (int i = 0; i < EVENTS; i++) {
            Admission admission = stage.offer(event);
            if (!admission.isTaken()) {
                throw new IllegalStateException("refused: %s (expected: room in a minute)".formatted(admission));
            }
        }
        awaitEnd();
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public void disruptorOfOneProducer() {
        publishAll(single);
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public void disruptorOfManyProducers() {
        publishAll(multi);
    }

    private void publishAll(Disruptor<Cell> disruptor) {
        if (!disruptor.hasStarted()) {
            disruptor.start();
        }
        RingBuffer<Cell> ring = disruptor.getRingBuffer();
        for (int i = 0; i < EVENTS; i++) {
            long sequence = ring.next();
            ring.get(sequence).event = event;
            ring.publish(sequence);
        }
        awaitEnd();
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public void arrayBlockingQueue() throws InterruptedException {
        for (int i = 0; i < EVENTS; i++) {
            queue.put(event);
        }
        awaitEnd();
    }

    private void awaitEnd() {
        total += EVENTS;
        count.awaitEnd(total);
    }
}
