package io.taskmaster.bench.workload;

import com.google.protobuf.ByteString;
import io.grpc.Status.Code;
import io.taskmaster.bench.load.ClosedLoop;
import io.taskmaster.bench.load.Failure;
import io.taskmaster.bench.load.LoadConnection;
import io.taskmaster.bench.load.LoadConnections;
import io.taskmaster.bench.load.Session;
import io.taskmaster.bench.load.Slot;
import io.taskmaster.bench.load.Timing;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.UpdateRequest;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A load that fills queues, in large updates, before a measurement. Updates that the server refuses temporarily are
 * sent again; any other failure ends the run. Thread-safe.
 */
public final class Preload implements Session.Factory {

    private static final int OUTSTANDING = 16;
    private static final int UPDATE_BYTES = 1 << 19;
    private static final int UPDATE_TASKS = 500;

    private final ByteString group;
    private final LongFunction<Enqueue> task;
    private final long tasks;
    private final int batch;
    private final AtomicLong next = new AtomicLong();
    private final Queue<Long> refused = new ConcurrentLinkedQueue<>();
    private volatile @Nullable String fault;

    private Preload(ByteString group, long tasks, LongFunction<Enqueue> task) {
        this.group = group;
        this.task = task;
        this.tasks = tasks;
        int bytes = tasks == 0 ? 0 : task.apply(0).getData().size();
        this.batch = Math.clamp(UPDATE_BYTES / Math.max(1, bytes), 1, UPDATE_TASKS);
    }

    /** Fills one queue. The PID of each task is a function of its number. Blocks. */
    public static void fill(
            LoadConnections loadConnections,
            QueueAddress queue,
            long tasks,
            LongFunction<ByteString> pids,
            ByteString data)
            throws InterruptedException {
        fill(loadConnections, queue.group(), tasks, number -> queue.enqueue(pids.apply(number), data));
    }

    /**
     * Fills queues of one group. Each task is a function of its number; the data of all tasks has the same size.
     * Blocks.
     *
     * @throws IllegalStateException if an update fails for a reason that is not temporary
     */
    public static void fill(LoadConnections loadConnections, ByteString group, long tasks, LongFunction<Enqueue> task)
            throws InterruptedException {
        Preload preload = new Preload(group, tasks, task);
        do {
            // The first slot that finds no update left ends the load, while others may yet be refused: hence the
            // repetition.
            ClosedLoop.run(loadConnections, OUTSTANDING, Timing.UNTIL_EXHAUSTED, preload);
            String fault = preload.fault;
            if (fault != null) {
                throw new IllegalStateException(
                        "cannot preload " + task.apply(0).getQueue().toStringUtf8() + ": " + fault);
            }
        } while (!preload.refused.isEmpty());
    }

    @Override
    public Session open(LoadConnection loadConnection) {
        return slot -> {
            Long retried = refused.poll();
            long first = retried == null ? next.getAndAdd(batch) : retried;
            if (first >= tasks || fault != null) {
                slot.onExhausted();
            } else {
                send(loadConnection, slot, first);
            }
        };
    }

    private void send(LoadConnection loadConnection, Slot slot, long first) {
        UpdateRequest.Builder update = UpdateRequest.newBuilder().setGroup(group);
        long end = Math.min(first + batch, tasks);
        for (long number = first; number < end; number++) {
            update.addEnqueue(task.apply(number));
        }
        int count = (int) (end - first);
        loadConnection
                .stub()
                .updateTasks(
                        update.build(),
                        slot.observer(
                                reply -> {
                                    Optional<String> wrong = Answers.fault(reply, count, 0);
                                    if (wrong.isPresent()) {
                                        fault = wrong.get();
                                        slot.onExhausted();
                                    } else {
                                        slot.succeeded(count);
                                    }
                                },
                                failure -> refused(slot, first, failure)));
    }

    private void refused(Slot slot, long first, Failure failure) {
        if (failure.code() == Code.RESOURCE_EXHAUSTED || failure.code() == Code.UNAVAILABLE) {
            refused.add(first);
            slot.failed(failure);
        } else {
            fault = failure.reason();
            slot.onExhausted();
        }
    }
}
