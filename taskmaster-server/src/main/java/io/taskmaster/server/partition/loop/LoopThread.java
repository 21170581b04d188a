package io.taskmaster.server.partition.loop;

import io.taskmaster.proxy.heap.OutOfMemory;
import io.taskmaster.time.Clock;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop on a platform thread of its own, with a mailbox and timers, for the partitions assigned to it.
 * {@link #execute}, {@link #schedule}, {@link #offload} and {@link #compute} are thread-safe and never block.
 *
 * <p>The admission control of the node bounds the mailbox: every task in it is a request that was admitted, or the
 * outcome of an operation that one of them started.
 */
final class LoopThread implements PartitionLoop, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LoopThread.class);
    private static final int CHUNK = 1024;

    private final MpscUnboundedArrayQueue<Runnable> mailbox = new MpscUnboundedArrayQueue<>(CHUNK);
    private final Timers timers = new Timers();
    private final AtomicBoolean asleep = new AtomicBoolean();
    private final Clock clock;
    private final EngineClock engineClock;
    private final Executor offloadExecutor;
    private final Executor computing;
    private final Thread thread;
    private volatile boolean closed;

    /**
     * Creates a loop that is not started.
     *
     * @param offloadExecutor runs offloaded tasks of partitions
     * @param computing runs offloaded computations that touch no partition
     */
    LoopThread(String name, Clock clock, EngineClock engineClock, Executor offloadExecutor, Executor computing) {
        this.clock = clock;
        this.engineClock = engineClock;
        this.offloadExecutor = offloadExecutor;
        this.computing = computing;
        this.thread = Thread.ofPlatform().name(name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    @Override
    public void execute(Runnable task) {
        mailbox.offer(task);
        // Read before it is written: while the loop is awake, producers share the cache line without contention.
        if (asleep.get() && asleep.compareAndSet(true, false)) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public long nowMillis() {
        return engineClock.millis();
    }

    @Override
    public void schedule(long delayMillis, Runnable task) {
        if (thread.equals(Thread.currentThread())) {
            timers.add(clock.nanos(), delayMillis, task);
        } else {
            execute(() -> timers.add(clock.nanos(), delayMillis, task));
        }
    }

    @Override
    public void offload(Runnable task) {
        offloadExecutor.execute(() -> run(task));
    }

    @Override
    public void compute(Runnable work) {
        computing.execute(() -> run(work));
    }

    private void run() {
        while (!closed) {
            boolean worked = false;
            for (Runnable task = mailbox.poll(); task != null; task = mailbox.poll()) {
                run(task);
                worked = true;
                // A mailbox that never gets empty must not delay timers.
                if (hasDueTimer()) {
                    break;
                }
            }
            for (Runnable task = timers.takeDue(clock.nanos()); task != null; task = timers.takeDue(clock.nanos())) {
                run(task);
                worked = true;
            }
            if (!worked) {
                sleep();
            }
        }
    }

    private boolean hasDueTimer() {
        return !timers.isEmpty() && timers.nanosUntilNext(clock.nanos()) <= 0;
    }

    private void sleep() {
        asleep.set(true);
        // After asleep is set: a producer either sees it and unparks this thread, or its task is seen here.
        if (mailbox.isEmpty() && !closed) {
            LockSupport.parkNanos(this, timers.nanosUntilNext(clock.nanos()));
        }
        asleep.set(false);
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error broken) {
            OutOfMemory.notice(broken);
            // A partition guards its own tasks; a failure here belongs to none, and the others must go on.
            log.error("a task of the event loop failed", broken);
        }
    }

    /** Stops the thread after its current task. Idempotent; blocks. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        // A loop that closes itself cannot wait for itself. An interrupt is kept for the caller: the loop has to have
        // ended before what its partitions use is closed.
        while (thread.isAlive() && !thread.equals(Thread.currentThread())) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
