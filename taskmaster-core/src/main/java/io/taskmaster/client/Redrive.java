package io.taskmaster.client;

import com.google.common.collect.Lists;
import io.taskmaster.client.Update.Release;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * An operation that brings dead letters back to the queues they came from. Each is dequeued and enqueued in one update,
 * with many updates in one call. It covers the dead letters that exist when it begins. One that becomes a dead letter
 * again meanwhile is set aside, so that it is not brought back forever; so is one that the server refuses. It may be
 * stopped at any point and repeated. Single-threaded: owned by its caller.
 */
public final class Redrive {

    /** The number of dead letters in one call. */
    static final int BATCH = 500;

    /** The maximum number of tasks of a queue that are set aside. Beyond it the rest of the queue is left. */
    static final int MAX_HELD = 10_000;

    /** The maximum number of repetitions of a call for tasks that the server cannot accept at present. */
    static final int MAX_REPETITIONS = 60;

    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration LEASE = Duration.ofSeconds(60);

    private final BlockingClient client;
    private final List<QueueKey> queues;
    private final long total;
    private final Duration pause;
    private Optional<Instant> began = Optional.empty();
    private Optional<TaskMasterException> firstFailure = Optional.empty();
    private long redriven;
    private long collapsed;
    private long refused;
    private long deadAgain;

    private Redrive(BlockingClient client, List<QueueKey> queues, long total, Duration pause) {
        this.client = client;
        this.queues = List.copyOf(queues);
        this.total = total;
        this.pause = pause;
    }

    /**
     * Counts the dead letters. Blocks.
     *
     * @param selected dead-letter queues
     * @throws IllegalArgumentException if another queue is among them
     */
    public static Redrive of(BlockingClient client, QueueSelector selected) {
        return of(client, selected, PAUSE);
    }

    /**
     * Counts the dead letters.
     *
     * @param pause the pause before a call is repeated for tasks that the server could not accept
     */
    static Redrive of(BlockingClient client, QueueSelector selected, Duration pause) {
        selected.names().forEach(DeadLetter::originOf);
        List<QueueKey> queues = new ArrayList<>();
        long total = 0;
        Optional<ListRequest> next = Optional.of(ListRequest.of(selected));
        while (next.isPresent()) {
            ListRequest request = next.get();
            ListResult page = client.list(request);
            for (QueueSummary queue : page.queues()) {
                DeadLetter.originOf(queue.queue().name());
                queues.add(queue.queue());
                total += queue.total();
            }
            next = page.nextPageToken().map(request::pageToken);
        }
        return new Redrive(client, queues, total, pause);
    }

    /** The number of dead letters at the time of creation. */
    public long total() {
        return total;
    }

    /** The number of tasks that were brought back. */
    public long redriven() {
        return redriven;
    }

    /** The number of those whose PID was queued again; the queued task stayed. */
    public long collapsed() {
        return collapsed;
    }

    /**
     * The number of dead letters that stay: another client holds them, they failed again meanwhile, or the server
     * refuses them. During the run it includes those that are still to come.
     */
    public long left() {
        return deadAgain + Math.max(refused, total - redriven);
    }

    /**
     * Brings them back. Blocks.
     *
     * @param progress called now and then with the number of tasks that are done
     * @throws TaskMasterException if the server fails, or could not accept some tasks for half a minute: what is left
     *     is available again after a minute; or if the server refuses a task, after all others are back
     */
    public void run(LongConsumer progress) {
        for (QueueKey queue : queues) {
            Map<Pid, Long> held = new HashMap<>();
            try {
                empty(queue, held, progress);
            } finally {
                release(queue, held);
            }
        }
        if (firstFailure.isPresent()) {
            throw firstFailure.get();
        }
    }

    /**
     * Brings back the tasks of one queue.
     *
     * @param held the tasks that stay, with their leases. Tasks whose leases expire before the end are leased again and
     *     recognized
     */
    private void empty(QueueKey queue, Map<Pid, Long> held, LongConsumer progress) {
        LeaseRequest request = LeaseRequest.from(queue).maxTasks(BATCH).length(LEASE);
        // Tasks that are set aside stay leased, so that no later call brings them again; hence the bound.
        while (held.size() < MAX_HELD) {
            List<LeasedTask> dead = client.lease(request);
            if (dead.isEmpty()) {
                return;
            }
            // The beginning by the clock of the server, derived from the first lease. A task that was enqueued later
            // has become a dead letter again.
            Instant start = began.orElse(dead.getFirst().leaseExpires().minus(LEASE));
            began = Optional.of(start);
            List<LeasedTask> toRedrive = new ArrayList<>();
            for (LeasedTask task : dead) {
                if (held.containsKey(task.pid())) {
                    held.put(task.pid(), task.leaseId());
                } else if (task.enqueued().isAfter(start)) {
                    held.put(task.pid(), task.leaseId());
                    deadAgain++;
                } else {
                    toRedrive.add(task);
                }
            }
            redriveBatch(toRedrive).forEach(task -> held.put(task.pid(), task.leaseId()));
            progress.accept(redriven + refused);
        }
    }

    /** Brings tasks back. Returns those that the server refuses. */
    private List<LeasedTask> redriveBatch(List<LeasedTask> tasks) {
        List<LeasedTask> kept = new ArrayList<>();
        List<LeasedTask> remaining = tasks;
        for (int repetitions = 0; !remaining.isEmpty(); repetitions++) {
            List<BatchResult> results =
                    client.batch(remaining.stream().map(Redrive::redriveOf).toList());
            List<LeasedTask> retry = new ArrayList<>();
            for (int i = 0; i < results.size(); i++) {
                switch (results.get(i)) {
                    case BatchResult.Updated(UpdateResult update) -> count(update);
                    case BatchResult.Failed(TaskMasterException error) ->
                        sort(remaining.get(i), error, repetitions < MAX_REPETITIONS, retry, kept);
                    case BatchResult.Leased leased ->
                        throw new IllegalStateException("batch: a lease (expected: an update)");
                }
            }
            remaining = retry;
            if (!remaining.isEmpty()) {
                LockSupport.parkNanos(Deadlines.nanos(pause));
            }
        }
        return kept;
    }

    private static BatchOperation redriveOf(LeasedTask dead) {
        return Update.in(dead.queue().group())
                .dequeue(dead)
                .enqueue(DeadLetter.back(dead))
                .build();
    }

    /** Counts an update. A refused one means that another client holds the task. */
    private void count(UpdateResult update) {
        if (update.success()) {
            redriven++;
            collapsed += update.enqueues().getFirst() == Status.COLLAPSED ? 1 : 0;
        }
    }

    private void sort(
            LeasedTask task,
            TaskMasterException error,
            boolean mayWait,
            List<LeasedTask> retry,
            List<LeasedTask> kept) {
        switch (error.code().advice()) {
            case RETRY_LATER -> {
                if (!mayWait) {
                    throw error;
                }
                retry.add(task);
            }
            // The task is back, or it is leased again after its lease has expired.
            case OUTCOME_UNKNOWN -> firstFailure = Optional.of(firstFailure.orElse(error));
            case CALLER_FAULT, NOT_ALLOWED, NOT_SERVED, SERVER_FAULT -> {
                firstFailure = Optional.of(firstFailure.orElse(error));
                kept.add(task);
                refused++;
            }
        }
    }

    private void release(QueueKey queue, Map<Pid, Long> held) {
        List<Map.Entry<Pid, Long>> leases = List.copyOf(held.entrySet());
        for (List<Map.Entry<Pid, Long>> slice : Lists.partition(leases, BATCH)) {
            client.batch(slice.stream()
                    .map(lease -> (BatchOperation) Update.in(queue.group())
                            .release(
                                    new Release(queue.name(), lease.getKey(), lease.getValue(), Optional.empty(), true))
                            .build())
                    .toList());
        }
    }
}
