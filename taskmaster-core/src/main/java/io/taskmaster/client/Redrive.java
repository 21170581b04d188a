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
 * Brings dead letters back into the queues they came from: each is dequeued there and enqueued here in one update, many updates in one call.
 * Only those that are there when it begins; one that dies again meanwhile is set aside, so that it is not brought back for ever, and so is one
 * that the server does not take. It may be stopped anywhere and begun again. Single-threaded.
 */
public final class Redrive {

    /** Dead letters in one call. */
    static final int BATCH = 500;

    /** So many of a queue are set aside, at most. After that, the rest of it is left. */
    static final int MAX_ASIDE = 10_000;

    /** A call is sent again so often, at most, for those that the server cannot take now. */
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
    private long diedAgain;

    private Redrive(BlockingClient client, List<QueueKey> queues, long total, Duration pause) {
        this.client = client;
        this.queues = List.copyOf(queues);
        this.total = total;
        this.pause = pause;
    }

    /**
     * Looks what there is. Blocks.
     *
     * @param selected queues of dead letters
     * @throws IllegalArgumentException if another is among them
     */
    public static Redrive of(BlockingClient client, QueueSelector selected) {
        return of(client, selected, PAUSE);
    }

    /**
     * @param pause before a call is sent again for those that the server could not take
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

    /** How many there were when this was made. */
    public long total() {
        return total;
    }

    /** How many are back. */
    public long redriven() {
        return redriven;
    }

    /** How many of these found their PID queued again, and left that as it is. */
    public long collapsed() {
        return collapsed;
    }

    /** How many stay: somebody else had them in hand, they died again meanwhile, or the server does not take them. While it runs: or it has not come to them. */
    public long left() {
        return diedAgain + Math.max(refused, total - redriven);
    }

    /**
     * Brings them back. Blocks.
     *
     * @param progress hears how many are done, now and then
     * @throws TaskMasterException if the server fails, or could not take some for half a minute: what is left is offered again after a minute;
     *     or if it does not take one of them, after all others are back
     */
    public void run(LongConsumer progress) {
        for (QueueKey queue : queues) {
            Map<Pid, Long> aside = new HashMap<>();
            try {
                empty(queue, aside, progress);
            } finally {
                release(queue, aside);
            }
        }
        if (firstFailure.isPresent()) {
            throw firstFailure.get();
        }
    }

    /**
     * @param aside tasks that stay, and their leases: those that run out before the end come again
     */
    private void empty(QueueKey queue, Map<Pid, Long> aside, LongConsumer progress) {
        LeaseRequest request = LeaseRequest.from(queue).maxTasks(BATCH).length(LEASE);
        while (aside.size() < MAX_ASIDE) {
            List<LeasedTask> dead = client.lease(request);
            if (dead.isEmpty()) {
                return;
            }
            Instant start = began.orElse(dead.getFirst().leaseExpires().minus(LEASE));
            began = Optional.of(start);
            List<LeasedTask> back = new ArrayList<>();
            for (LeasedTask task : dead) {
                if (aside.containsKey(task.pid())) {
                    aside.put(task.pid(), task.leaseId());
                } else if (task.enqueued().isAfter(start)) {
                    aside.put(task.pid(), task.leaseId());
                    diedAgain++;
                } else {
                    back.add(task);
                }
            }
            bringBack(back).forEach(task -> aside.put(task.pid(), task.leaseId()));
            progress.accept(redriven + refused);
        }
    }

    /** Those that the server does not take. */
    private List<LeasedTask> bringBack(List<LeasedTask> tasks) {
        List<LeasedTask> stay = new ArrayList<>();
        List<LeasedTask> left = tasks;
        for (int repetitions = 0; !left.isEmpty(); repetitions++) {
            List<BatchResult> results =
                    client.batch(left.stream().map(Redrive::back).toList());
            List<LeasedTask> again = new ArrayList<>();
            for (int i = 0; i < results.size(); i++) {
                switch (results.get(i)) {
                    case BatchResult.Updated(UpdateResult update) -> count(update);
                    case BatchResult.Failed(TaskMasterException error) ->
                        sort(left.get(i), error, repetitions < MAX_REPETITIONS, again, stay);
                    case BatchResult.Leased _ ->
                        throw new IllegalStateException("batch: a lease (expected: an update)");
                }
            }
            left = again;
            if (!left.isEmpty()) {
                LockSupport.parkNanos(Deadlines.nanos(pause));
            }
        }
        return stay;
    }

    private static BatchOperation back(LeasedTask dead) {
        return Update.in(dead.queue().group())
                .dequeue(dead)
                .enqueue(DeadLetter.back(dead))
                .build();
    }

    /** One that was not done is in somebody else's hands. */
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
            List<LeasedTask> again,
            List<LeasedTask> stay) {
        switch (error.code().advice()) {
            case RETRY_LATER -> {
                if (!mayWait) {
                    throw error;
                }
                again.add(task);
            }
            // It is back, or comes again when its lease has run out.
            case OUTCOME_UNKNOWN -> firstFailure = Optional.of(firstFailure.orElse(error));
            case CALLER_FAULT, NOT_ALLOWED, NOT_SERVED, SERVER_FAULT -> {
                firstFailure = Optional.of(firstFailure.orElse(error));
                stay.add(task);
                refused++;
            }
        }
    }

    private void release(QueueKey queue, Map<Pid, Long> aside) {
        List<Map.Entry<Pid, Long>> leases = List.copyOf(aside.entrySet());
        for (List<Map.Entry<Pid, Long>> some : Lists.partition(leases, BATCH)) {
            client.batch(some.stream()
                    .map(lease -> (BatchOperation) Update.in(queue.group())
                            .release(
                                    new Release(queue.name(), lease.getKey(), lease.getValue(), Optional.empty(), true))
                            .build())
                    .toList());
        }
    }
}
