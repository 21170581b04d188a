package io.taskmaster.server.partition.loop;

import io.taskmaster.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** The loops of a node on platform threads, and the threads for offloaded work. Thread-safe. */
public final class LoopThreads implements Loops {

    /** Runs offloaded tasks of partitions: as many threads as loops, so that every loop can offload one. */
    private final ExecutorService offloadExecutor;

    /**
     * Runs computations for all partitions: half as many threads as loops, so that most processors remain for the
     * loops.
     */
    private final ExecutorService computing;

    private final EngineClock engineClock;
    private final List<LoopThread> threads;

    public LoopThreads(int count, Clock clock) {
        this.offloadExecutor = Executors.newFixedThreadPool(
                count, Thread.ofPlatform().name("beside-", 0).factory());
        this.computing = Executors.newFixedThreadPool(
                Math.max(1, count / 2),
                Thread.ofPlatform().name("computing-", 0).factory());
        this.engineClock = new EngineClock(clock);
        this.threads = IntStream.range(0, count)
                .mapToObj(number ->
                        new LoopThread("partitions-" + number, clock, engineClock, offloadExecutor, computing))
                .toList();
    }

    @Override
    public int count() {
        return threads.size();
    }

    @Override
    public PartitionLoop loop(int number) {
        return threads.get(number);
    }

    @Override
    public Optional<EngineClock> clock() {
        return Optional.of(engineClock);
    }

    @Override
    public void start() {
        threads.forEach(LoopThread::start);
    }

    @Override
    public void close() {
        threads.forEach(LoopThread::close);
        // Offloaded tasks touch partitions, so they are left to end; computations touch none and are dropped.
        offloadExecutor.close();
        computing.shutdownNow();
    }
}
