package io.taskmaster.server.partition.read;

import io.taskmaster.model.Pid;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.context.NodeMeters;
import io.taskmaster.server.partition.context.PartitionContext;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.fair.FairQueue;
import io.taskmaster.server.partition.fair.FairQueue.Origin;
import io.taskmaster.server.partition.fair.FairQueue.Ticket;
import io.taskmaster.server.partition.loop.TickedLoop;
import io.taskmaster.server.store.ScanLimit;
import org.jspecify.annotations.Nullable;

/**
 * The scans that extend the windows of queues: at most one per queue, and a limited number in all. Groups are served
 * round-robin, so that an active queue does not wait for many queues of another group. Single-threaded: owned by the
 * partition's loop.
 */
public final class WindowRefills {

    /** The number of scans in flight at once; see docs/limits.md. */
    public static final int AT_ONCE = 16;

    /** The number of groups that are distinguished. */
    private static final int MAX_GROUPS = 1_024;

    /** The cost of every scan: groups are served round-robin by the number of scans. */
    private static final long COST = FairQueue.QUANTUM;

    /** The receiver of the outcome of a scan. */
    interface Listener {

        /** Notifies that the tasks are in the state, or that there is nothing to be read any more. */
        void refilled(Decision.MoreTasks need);

        void failed(Decision.MoreTasks need, @Nullable Throwable failure);
    }

    private final TickedLoop loop;
    private final PartitionSettings settings;
    private final PartitionState state;
    private final MemoryBudget.Share budget;
    private final StoreReader reader;
    private final NodeMeters meters;
    private final Listener listener;
    private final FairQueue<QueueState> waiting = new FairQueue<>(MAX_GROUPS);
    private int inFlight;

    WindowRefills(PartitionContext context, StoreReader reader, Listener listener) {
        this.loop = context.loop();
        this.settings = context.settings();
        this.state = context.state();
        this.budget = context.budget();
        this.reader = reader;
        this.meters = context.meters();
        this.listener = listener;
    }

    /** Queues a scan for a queue that is not being refilled. */
    void enqueue(QueueState queue) {
        queue.refilling(true);
        // Without a caller: all that lease from the queue share its scans, so fairness ends with the group.
        waiting.add(new Origin(queue.key().group(), ""), queue, COST, false);
        begin();
    }

    private void begin() {
        while (inFlight < AT_ONCE) {
            Ticket<QueueState> next = waiting.take(true);
            if (next == null) {
                return;
            }
            waiting.charge(next, COST);
            begin(next.element());
        }
    }

    /** Starts a scan for as many tasks as the recent lease rate of the queue takes in two seconds, within bounds. */
    private void begin(QueueState queue) {
        meters.refill();
        inFlight++;
        Pid from = queue.refillFrom();
        long generation = queue.generation();
        int tasks = (int) Math.clamp(
                2 * queue.leasesPerSecond(loop.nowMillis()),
                settings.engine().lowWaterTasks(),
                settings.refillMaxTasks());
        ScanLimit limit = new ScanLimit(tasks, settings.refillMaxBytes());
        reader.scan(queue.key(), generation, from, limit, (id, slice, failure) -> {
            inFlight--;
            queue.refilling(false);
            Decision.MoreTasks need = new Decision.MoreTasks(queue.key());
            if (slice == null) {
                listener.failed(need, failure);
            } else {
                state.reads().windowScanned(queue, generation, from, slice.tasks(), slice.end(), !budget.isTight(), id);
                listener.refilled(need);
            }
            begin();
        });
    }
}
