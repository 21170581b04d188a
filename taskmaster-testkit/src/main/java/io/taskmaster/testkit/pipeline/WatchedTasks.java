package io.taskmaster.testkit.pipeline;

import io.taskmaster.client.BatchOperation;
import io.taskmaster.client.BatchResult;
import io.taskmaster.client.LeaseKeeper;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.worker.task.TaskService;
import io.taskmaster.testkit.pipeline.fault.CommitFault;
import io.taskmaster.testkit.pipeline.fault.PipelineFaults;
import io.taskmaster.testkit.pipeline.fault.RandomFaults;
import io.taskmaster.testkit.virtual.VirtualTime;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The TaskMaster service as one life of a worker process sees it: it injects the faults of the script and of chance,
 * and records every commit.
 *
 * <p>An update that is sent is applied and recorded even if the process dies meanwhile. After that, no future of this
 * life completes.
 *
 * <p>A batch is handled as follows.
 *
 * <ol>
 *   <li>Every update takes its fault from the script. Updates without one share a single draw of chance.
 *   <li>If one of them is to crash the worker before it is sent, nothing is sent; the planned faults of the others are
 *       missed.
 *   <li>Refused updates are left out of the batch; the others are sent.
 *   <li>When the reply comes, every commit is recorded. A planned fault is missed if its commit was not applied or the
 *       worker is dead.
 *   <li>If one of them is to crash the worker now, it dies before the reply; planned faults of the reply are missed.
 *   <li>Otherwise the worker receives the results, with {@code OUTCOME_UNKNOWN} in place of lost ones, after the
 *       longest delay of them all.
 * </ol>
 *
 * Single-threaded: owned by the test.
 */
final class WatchedTasks implements TaskService {

    private final VirtualTime time;
    private final KitJournal kitJournal;
    private final PipelineFaults script;
    private final RandomFaults randomFaults;
    private final TaskMasterClient client;
    private final Pipeline pipeline;
    private final String worker;
    private final Consumer<String> crash;

    /** Lease calls in flight, by their numbers. */
    private final Map<Long, CompletableFuture<?>> polls = new LinkedHashMap<>();

    private long lastPoll;

    private boolean dead;

    /** @param crash ends the process, with the reason */
    WatchedTasks(
            KitEnvironment kitEnvironment,
            RandomFaults randomFaults,
            TaskMasterClient client,
            Pipeline pipeline,
            String worker,
            Consumer<String> crash) {
        this.time = kitEnvironment.time();
        this.kitJournal = kitEnvironment.kitJournal();
        this.script = kitEnvironment.script();
        this.randomFaults = randomFaults;
        this.client = client;
        this.pipeline = pipeline;
        this.worker = worker;
        this.crash = crash;
    }

    /** Drops all later replies, and cancels the lease calls, as when a connection breaks. */
    void die() {
        dead = true;
        // A call that is cancelled removes itself from the map at once, hence the copy.
        List.copyOf(polls.values()).forEach(poll -> poll.cancel(true));
        // A call that waits for its retry would wait forever: no timer rings in a dead process.
        client.close();
    }

    @Override
    public LeaseKeeper keepLeases(Duration length) {
        return client.keepLeases(length);
    }

    @Override
    public CompletableFuture<List<LeasedTask>> lease(LeaseRequest request) {
        if (dead) {
            return new CompletableFuture<>();
        }
        Optional<CommitFault.OfCall> fault = randomFaults.next();
        if (fault.isPresent() && fault.get() instanceof CommitFault.Refuse(ErrorCode code)) {
            return CompletableFuture.failedFuture(error(code));
        }
        CompletableFuture<List<LeasedTask>> call = client.lease(request);
        long number = ++lastPoll;
        polls.put(number, call);
        CompletableFuture<List<LeasedTask>> promise = mirror(call);
        CompletableFuture<?> _ = call.whenComplete((leased, error) -> {
            polls.remove(number);
            if (fault.isPresent() && fault.get() instanceof CommitFault.LoseReply) {
                complete(promise, null, error(ErrorCode.OUTCOME_UNKNOWN), Duration.ZERO);
            } else {
                complete(promise, leased, error, delay(fault));
            }
        });
        return promise;
    }

    /** Returns a future whose cancellation cancels the call. */
    private static <R> CompletableFuture<R> mirror(CompletableFuture<R> call) {
        return new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                boolean cancelled = super.cancel(mayInterruptIfRunning);
                call.cancel(mayInterruptIfRunning);
                return cancelled;
            }
        };
    }

    /** An update that is being sent, with the fault that the script plans for it, or else that of chance. */
    private record Sent(
            Update update, Optional<PipelineFaults.Due> planned, Optional<? extends CommitFault.OfCall> chance) {

        Optional<CommitFault> fault() {
            return planned.map(PipelineFaults.Due::fault).or(() -> chance);
        }

        boolean meets(Class<? extends CommitFault> kind) {
            return fault().filter(kind::isInstance).isPresent();
        }
    }

    @Override
    public CompletableFuture<List<BatchResult>> batch(List<BatchOperation> operations) {
        CompletableFuture<List<BatchResult>> promise = new CompletableFuture<>();
        if (dead) {
            return promise;
        }
        Optional<CommitFault.OfCall> chance = randomFaults.next();
        List<Sent> all = operations.stream()
                .map(operation -> begin((Update) operation, chance))
                .toList();
        if (all.stream().anyMatch(sent -> sent.meets(CommitFault.CrashBefore.class))) {
            all.stream()
                    .filter(sent -> !sent.meets(CommitFault.CrashBefore.class))
                    .forEach(sent -> miss(sent, "the worker crashed before it"));
            crash.accept("crashes before a commit");
            return promise;
        }
        kitJournal.sent(all.size());
        List<BatchOperation> passed = all.stream()
                .filter(sent -> !sent.meets(CommitFault.Refuse.class))
                .<BatchOperation>map(Sent::update)
                .toList();
        CompletableFuture<List<BatchResult>> call =
                passed.isEmpty() ? CompletableFuture.completedFuture(List.of()) : client.batch(passed);
        CompletableFuture<?> _ = call.whenComplete((results, error) -> arrived(all, results, error, promise));
        return promise;
    }

    private Sent begin(Update update, Optional<CommitFault.OfCall> chance) {
        Optional<PipelineFaults.Due> planned = script.commit(stageOf(Settled.queueOf(update)));
        planned.ifPresent(fault -> kitJournal.incident(worker, "fault injected in a commit: " + fault.fault()));
        return new Sent(update, planned, chance);
    }

    private void miss(Sent sent, String reason) {
        sent.planned().ifPresent(due -> script.miss(due, reason));
    }

    private TaskQueue<?> stageOf(QueueName queue) {
        return pipeline.stages().stream()
                .<TaskQueue<?>>map(Stage::input)
                .filter(input -> Members.has(input, queue))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("queue: %s (expected: the input of a stage)".formatted(queue)));
    }

    private void arrived(
            List<Sent> all,
            @Nullable List<BatchResult> results,
            @Nullable Throwable error,
            CompletableFuture<List<BatchResult>> promise) {
        List<BatchResult> merged = merged(all, results, error);
        List<Sent> met = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            // Recorded before any fault of the reply: the journal has the server's view, not the worker's.
            Commit commit = kitJournal.settled(worker, all.get(i).update(), merged.get(i));
            met.add(met(all.get(i), commit));
        }
        if (met.stream().anyMatch(sent -> sent.meets(CommitFault.CrashAfter.class))) {
            met.stream()
                    .filter(WatchedTasks::isOfReply)
                    .forEach(sent -> miss(sent, "the worker crashed before the reply"));
            crash.accept("crashes after a commit");
        }
        List<BatchResult> received = new ArrayList<>();
        Duration late = Duration.ZERO;
        for (int i = 0; i < all.size(); i++) {
            received.add(
                    met.get(i).meets(CommitFault.LoseReply.class)
                            ? new BatchResult.Failed(error(ErrorCode.OUTCOME_UNKNOWN))
                            : merged.get(i));
            Duration delay = delay(met.get(i).fault());
            late = late.compareTo(delay) < 0 ? delay : late;
        }
        complete(promise, received, null, late);
    }

    /**
     * Returns the update, without its planned fault if that cannot happen: every fault but a refusal requires that the
     * commit was applied and the worker lives.
     */
    private Sent met(Sent sent, Commit commit) {
        if (sent.planned().isEmpty() || sent.meets(CommitFault.Refuse.class) || (commit.isApplied() && !dead)) {
            return sent;
        }
        miss(sent, dead ? "the worker was already dead" : "the commit was " + commit.fate());
        return new Sent(sent.update(), Optional.empty(), Optional.empty());
    }

    private static boolean isOfReply(Sent sent) {
        return sent.meets(CommitFault.LoseReply.class) || sent.meets(CommitFault.DelayReply.class);
    }

    /** Returns the result of every update, in order: the server's, or the refusal of one that was not sent. */
    private static List<BatchResult> merged(
            List<Sent> all, @Nullable List<BatchResult> results, @Nullable Throwable error) {
        Iterator<BatchResult> next = results == null ? List.<BatchResult>of().iterator() : results.iterator();
        List<BatchResult> merged = new ArrayList<>();
        for (Sent sent : all) {
            if (sent.fault().isPresent() && sent.fault().get() instanceof CommitFault.Refuse(ErrorCode code)) {
                merged.add(new BatchResult.Failed(error(code)));
            } else {
                merged.add(next.hasNext() ? next.next() : new BatchResult.Failed(known(error)));
            }
        }
        return merged;
    }

    private static TaskMasterException known(@Nullable Throwable error) {
        Throwable cause = error instanceof CompletionException wrapped ? wrapped.getCause() : error;
        return cause instanceof TaskMasterException known ? known : error(ErrorCode.INTERNAL);
    }

    private static Duration delay(Optional<? extends CommitFault> fault) {
        return fault.isPresent() && fault.get() instanceof CommitFault.DelayReply(Duration span) ? span : Duration.ZERO;
    }

    /** Completes a future later, unless the process is dead by then. */
    private <R> void complete(
            CompletableFuture<R> promise, @Nullable R result, @Nullable Throwable error, Duration late) {
        time.schedule(
                () -> {
                    if (dead) {
                        return;
                    }
                    if (error == null) {
                        promise.complete(result);
                    } else {
                        promise.completeExceptionally(error);
                    }
                },
                Deadlines.nanos(late));
    }

    private static TaskMasterException error(ErrorCode code) {
        return TaskMasterException.withoutStackTrace(code, "injected by the test", null, null);
    }
}
