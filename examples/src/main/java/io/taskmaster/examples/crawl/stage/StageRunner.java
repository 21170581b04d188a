package io.taskmaster.examples.crawl.stage;

import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.error.ErrorCode.Advice;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.examples.crawl.Queues;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

/**
 * The loop of a worker: lease a batch from whatever queues the stage has, work on it, make that durable, settle each task with
 * one update. Nothing is remembered between batches, so a worker may be killed anywhere: its leases run out and somebody else
 * begins anew. Single-threaded: owned by the thread that runs it; several may share a stage.
 */
public final class StageRunner {

    /** Long enough for a batch on a busy machine, short enough not to wait long for the tasks of a dead worker. */
    private static final Duration LEASE = Duration.ofSeconds(10);

    private static final Duration POLL = Duration.ofSeconds(1);

    private final Stage stage;
    private final TaskSource tasks;
    private final LeaseRequest request;

    /**
     * @param worker a name for humans
     */
    public StageRunner(Stage stage, TaskSource tasks, String worker) {
        this.stage = stage;
        this.tasks = tasks;
        this.request = LeaseRequest.from(QueueSelector.matching(Queues.GROUP, Queues.pattern(stage.name())))
                .maxTasks(stage.batch())
                .length(LEASE)
                .maxWait(POLL)
                .worker(worker);
    }

    /**
     * Works until it is told to stop, then finishes its batch.
     *
     * @throws IOException if what was done cannot be made durable
     * @throws TaskMasterException if the server refuses for good
     */
    public void run(BooleanSupplier stopped) throws IOException, InterruptedException {
        while (!stopped.getAsBoolean()) {
            handle(lease());
        }
    }

    /** One batch. */
    void handle(List<LeasedTask> batch) throws IOException, InterruptedException {
        Map<LeasedTask, Outcome> outcomes = new LinkedHashMap<>();
        for (LeasedTask task : batch) {
            outcomes.put(task, work(task));
        }
        if (!outcomes.isEmpty()) {
            stage.commit();
        }
        settle(outcomes);
    }

    private List<LeasedTask> lease() {
        try {
            return tasks.lease(request);
        } catch (TaskMasterException error) {
            // The client has already retried until its deadline: the server is away for long, and we are in no hurry.
            rethrowUnlessPassing(error);
            return List.of();
        }
    }

    private Outcome work(LeasedTask task) throws InterruptedException {
        if (Settlement.isHopeless(task)) {
            return new Outcome.Failed("leased in vain %d times".formatted(task.attempt() - 1), true);
        }
        try {
            return stage.work(task);
        } catch (RuntimeException broken) {
            return new Outcome.Failed(broken.toString(), false);
        }
    }

    /** All at once: every update waits for the disk of the server, which syncs them together. */
    private void settle(Map<LeasedTask, Outcome> outcomes) throws InterruptedException {
        List<Callable<Void>> updates = new ArrayList<>();
        outcomes.forEach((task, outcome) -> updates.add(() -> {
            settle(task, outcome);
            return null;
        }));
        try (ExecutorService together = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Void> update : together.invokeAll(updates)) {
                update.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof TaskMasterException error ? error : new IllegalStateException(e);
        }
    }

    private void settle(LeasedTask task, Outcome outcome) {
        Optional<Outcome> next = Optional.of(outcome);
        while (next.isPresent()) {
            Outcome tried = next.get();
            UpdateResult result = update(Settlement.of(task, tried));
            next = result.success() ? Optional.empty() : Settlement.afterRefusal(tried, result);
        }
    }

    /** Repeats an update whose outcome is unknown: every update of ours names a lease, so doing it twice does no more. */
    private UpdateResult update(Update update) {
        while (true) {
            try {
                return tasks.update(update);
            } catch (TaskMasterException error) {
                rethrowUnlessPassing(error);
            }
        }
    }

    private static void rethrowUnlessPassing(TaskMasterException error) {
        boolean passing =
                error.code().advice() == Advice.RETRY_LATER || error.code().advice() == Advice.OUTCOME_UNKNOWN;
        if (!passing || Thread.currentThread().isInterrupted()) {
            throw error;
        }
    }
}
