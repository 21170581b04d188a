package io.taskmaster.client;

import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.QueueKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Brings dead letters back into the queues they came from: each is dequeued there and enqueued here in one update, many updates in one call.
 * Only those that are there when it begins; one that dies again meanwhile is set aside, so that it is not brought back for ever. It may be
 * stopped anywhere and begun again. Single-threaded.
 */
public final class Redrive {

    /** Dead letters in one call. */
    static final int BATCH = 500;

    private static final Duration LEASE = Duration.ofSeconds(60);

    private final BlockingClient client;
    private final List<QueueKey> queues;
    private final long total;
    private final List<LeasedTask> aside = new ArrayList<>();
    private Optional<Instant> began = Optional.empty();
    private Optional<TaskMasterException> firstFailure = Optional.empty();
    private long redriven;
    private long collapsed;
    private long failed;

    private Redrive(BlockingClient client, List<QueueKey> queues, long total) {
        this.client = client;
        this.queues = List.copyOf(queues);
        this.total = total;
    }

    /**
     * Looks what there is. Blocks.
     *
     * @param selected queues of dead letters
     * @throws IllegalArgumentException if another is among them
     */
    public static Redrive of(BlockingClient client, QueueSelector selected) {
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
        return new Redrive(client, queues, total);
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
        return aside.size() + Math.max(failed, total - redriven);
    }

    /**
     * Brings them back. Blocks.
     *
     * @param progress hears how many are done, now and then
     * @throws TaskMasterException if the server fails, or refused one of them, after all others are back; what is left is offered again
     *     after a minute
     */
    public void run(LongConsumer progress) {
        try {
            for (QueueKey queue : queues) {
                empty(queue, progress);
            }
        } finally {
            release();
        }
        if (firstFailure.isPresent()) {
            throw firstFailure.get();
        }
    }

    private void empty(QueueKey queue, LongConsumer progress) {
        LeaseRequest request = LeaseRequest.from(queue).maxTasks(BATCH).length(LEASE);
        for (List<LeasedTask> dead = client.lease(request); !dead.isEmpty(); dead = client.lease(request)) {
            Instant now = dead.getFirst().leaseExpires().minus(LEASE);
            Instant start = began.orElse(now);
            began = Optional.of(start);
            List<BatchOperation> back = new ArrayList<>();
            for (LeasedTask task : dead) {
                if (task.enqueued().isAfter(start)) {
                    aside.add(task);
                } else {
                    back.add(back(task));
                }
            }
            if (back.isEmpty()) {
                return;
            }
            client.batch(back).forEach(this::count);
            progress.accept(redriven + failed);
        }
    }

    private static Update back(LeasedTask dead) {
        return Update.in(dead.queue().group())
                .dequeue(dead)
                .enqueue(DeadLetter.back(dead))
                .build();
    }

    private void count(BatchResult result) {
        switch (result) {
            case BatchResult.Updated(UpdateResult update)
            when update.success() -> {
                redriven++;
                collapsed += update.enqueues().getFirst() == Status.COLLAPSED ? 1 : 0;
            }
            case BatchResult.Updated _ -> failed++;
            case BatchResult.Failed(TaskMasterException error) -> {
                failed++;
                firstFailure = Optional.of(firstFailure.orElse(error));
            }
            case BatchResult.Leased _ -> throw new IllegalStateException("batch: a lease (expected: an update)");
        }
    }

    private void release() {
        for (int i = 0; i < aside.size(); i += BATCH) {
            List<LeasedTask> some = aside.subList(i, Math.min(aside.size(), i + BATCH));
            List<BatchOperation> releases = new ArrayList<>();
            some.forEach(task -> releases.add(
                    Update.in(task.queue().group()).releaseUntried(task).build()));
            client.batch(releases);
        }
    }
}
