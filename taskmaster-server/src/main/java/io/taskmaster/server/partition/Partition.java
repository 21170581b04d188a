package io.taskmaster.server.partition;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.heap.OutOfMemory;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.engine.index.EngineState;
import io.taskmaster.server.engine.rank.QueueScan;
import io.taskmaster.server.partition.admit.AdmissionControl;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.context.NodeResources;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.context.Phase;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.loop.PartitionLoop;
import io.taskmaster.server.partition.loop.Strand;
import io.taskmaster.server.partition.read.SelectorResolution;
import io.taskmaster.server.store.FreeSpace;
import io.taskmaster.server.store.Store;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A partition during one epoch of one owner, from the takeover to the end of the epoch. Single-threaded: owned by its
 * loop.
 *
 * <pre>
 *   NEW --open--> OPENING --recovered--> SERVING --drain--> DRAINING --settled, closed--> STOPPED
 *                    |                      |                  |
 *                    +------failed----------+--deposed, or an outcome is unknown--> STOPPED
 *                    +----------------------+--stored data are corrupt------------> DAMAGED
 *                    +----------------------+--given away, or owned elsewhere-----> AWAY
 * </pre>
 *
 * <p>The state is a {@link Phase}; its transition table is there. {@link Recovery} runs during {@code OPENING};
 * {@link PartitionRuntime} holds all that exists only while the partition serves or drains. Invariants:
 *
 * <ul>
 *   <li>{@code serving} is not null only in {@code SERVING} and {@code DRAINING}. A late outcome of an earlier phase
 *       finds it null and does nothing.
 *   <li>{@code STOPPED}, {@code DAMAGED} and {@code AWAY} are final for this object: {@link HostedPartition} opens the
 *       partition again with a new one and a new epoch. Only {@code STOPPED} may still become {@code DAMAGED}, once the
 *       cause turns out to be corruption.
 *   <li>Every public method may be called on the loop at any time; while an update is offloaded, the {@link Strand}
 *       makes calls wait (ADR 9).
 *   <li>The sink of a submitted command is called exactly once, whatever the phase.
 * </ul>
 */
public final class Partition {

    private static final long SETTLE_CHECK_MILLIS = 5;

    private final int id;
    private final Store store;
    private final Strand strand;
    private final PartitionSettings settings;
    private final NodeResources nodeResources;
    private final Recovery recovery;
    private final CompletableFuture<Throwable> ended = new CompletableFuture<>();
    private Phase phase = Phase.NEW;
    /** The reason that requests are given once the partition admits no more; null: it is being opened. */
    private @Nullable TaskMasterException refusal;

    private @Nullable PartitionRuntime partitionRuntime;

    /**
     * Creates a partition that is not open yet.
     *
     * @param random the source of the epoch's nonce
     */
    public Partition(
            int id,
            OwnerCandidate owner,
            Store store,
            PartitionLoop loop,
            PartitionSettings settings,
            NodeResources nodeResources,
            RandomGenerator random) {
        this.id = id;
        this.store = store;
        this.strand = new Strand(loop);
        this.settings = settings;
        this.nodeResources = nodeResources;
        this.recovery = new Recovery(id, owner, store, strand, settings, random);
    }

    /** Takes the partition over and recovers it. Complete when it serves. */
    public CompletableFuture<Void> open() {
        enter(Phase.OPENING);
        long startNanos = nodeResources.meters().opening();
        return recovery.run().thenAccept(opened -> serve(opened, startNanos));
    }

    private void serve(Recovery.Opened opened, long startNanos) {
        // Stopped or drained during recovery: the recovered state is dropped, and the epoch ends as by a crash.
        if (phase != Phase.OPENING) {
            return;
        }
        // Other partitions ask for eviction from their own loops, so the request comes in by way of the mailbox.
        MemoryBudget.Share share = nodeResources.budget().share(bytes -> strand.execute(() -> evict(bytes)));
        partitionRuntime = new PartitionRuntime(store, strand, settings, opened, share, nodeResources, this::ended);
        enter(Phase.SERVING);
        nodeResources.meters().opened(startNanos);
        // The store may break while there is no write that would fail. Without this the partition would keep serving
        // state from memory that it can no longer change.
        var _ = store.broken().thenAccept(reason -> strand.execute(() -> fail(reason)));
    }

    private void fail(Throwable reason) {
        PartitionRuntime runtime = partitionRuntime;
        if (runtime != null) {
            runtime.end(reason);
        }
    }

    private void enter(Phase next) {
        phase = next;
        nodeResources.phases().is(id, next);
    }

    /** Returns a future that completes with the reason when this epoch ends, unless it ends by {@link #stop}. */
    public CompletableFuture<Throwable> ended() {
        return ended;
    }

    public boolean isServing() {
        return phase == Phase.SERVING;
    }

    /** The state in memory, for inspection; empty while the partition does not serve. */
    Optional<EngineState> engine() {
        PartitionRuntime runtime = partitionRuntime;
        return runtime == null ? Optional.empty() : Optional.of(runtime.engine());
    }

    /**
     * Completes the future with the flow of tasks through this partition; with an empty snapshot while it does not
     * serve.
     */
    void flow(CompletableFuture<FlowSnapshot> result) {
        runQuery(result, () -> {
            PartitionRuntime runtime = partitionRuntime;
            result.complete(
                    runtime == null
                            ? FlowSnapshot.NONE
                            : runtime.state().queues().flow());
        });
    }

    /**
     * Completes the future with the result of a walk over the queues; with an empty result while the partition does not
     * serve. A walk over many queues takes many loop ticks, and ends early once its future is done, for example
     * cancelled.
     */
    <A> void scan(LongFunction<? extends QueueScan<A>> begin, CompletableFuture<Optional<A>> result) {
        runQuery(result, () -> continueScan(partitionRuntime, begin.apply(strand.nowMillis()), result));
    }

    private <A> void continueScan(
            @Nullable PartitionRuntime runtime, QueueScan<A> queueScan, CompletableFuture<Optional<A>> result) {
        if (result.isDone()) {
            return;
        }
        // The epoch may have ended between two slices; the state that the walk began on is stale then.
        if (runtime == null || runtime != partitionRuntime) {
            result.complete(Optional.empty());
            return;
        }
        Selector selector = queueScan.selector().orElse(null);
        if (selector != null && !runtime.engine().selectors().isKnown(selector)) {
            runtime.selectorResolution().choose(selector, new ScanWaiter<>(runtime, queueScan, result));
        } else if (queueScan.scanSlice(runtime.engine())) {
            result.complete(Optional.of(queueScan.found()));
        } else {
            strand.execute(() -> guard(result, () -> continueScan(runtime, queueScan, result)));
        }
    }

    /** A walk that waits until its selector is resolved. */
    private final class ScanWaiter<A> implements SelectorResolution.Waiter {

        private final PartitionRuntime runtime;
        private final QueueScan<A> queueScan;
        private final CompletableFuture<Optional<A>> result;

        ScanWaiter(PartitionRuntime runtime, QueueScan<A> queueScan, CompletableFuture<Optional<A>> result) {
            this.runtime = runtime;
            this.queueScan = queueScan;
            this.result = result;
        }

        @Override
        public boolean isCancelled() {
            return result.isDone();
        }

        @Override
        public boolean isLimited() {
            return !queueScan.isOfTheNode();
        }

        @Override
        public void known() {
            guard(result, () -> continueScan(runtime, queueScan, result));
        }

        @Override
        public void refused(TaskMasterException error) {
            result.completeExceptionally(error);
        }

        @Override
        public void ended() {
            result.complete(Optional.empty());
        }
    }

    /**
     * Completes the future with the number of these queues that were deleted and still have rows to be cleared away.
     * Fails while the partition does not serve.
     */
    void uncleared(Collection<QueueKey> queues, CompletableFuture<Integer> result) {
        runQuery(result, () -> {
            PartitionRuntime runtime = partitionRuntime;
            if (runtime == null) {
                result.completeExceptionally(notServing());
            } else {
                result.complete(runtime.state().unreaped(queues));
            }
        });
    }

    private void runQuery(CompletableFuture<?> result, Runnable query) {
        strand.run(() -> guard(result, query));
    }

    /** Runs a read-only operation. If it throws, its future fails with the exception; the partition continues. */
    private static void guard(CompletableFuture<?> result, Runnable query) {
        try {
            query.run();
        } catch (RuntimeException | Error broken) {
            OutOfMemory.notice(broken);
            result.completeExceptionally(broken);
        }
    }

    /** Submits a command. The sink is called exactly once. */
    public void submit(Command command, ReplySink sink) {
        strand.run(() -> submitOnStrand(command, sink));
    }

    private void submitOnStrand(Command command, ReplySink sink) {
        PartitionRuntime runtime = partitionRuntime;
        if (phase == Phase.SERVING && runtime != null) {
            runtime.submit(command, sink);
        } else {
            sink.fail(notServing());
        }
    }

    private TaskMasterException notServing() {
        if (refusal != null) {
            return refusal;
        }
        if (store.freeSpace().level() == FreeSpace.Level.NONE) {
            return AdmissionControl.storeFull(store.freeSpace());
        }
        return refusal(ErrorCode.PARTITION_OPENING);
    }

    private TaskMasterException refusal(ErrorCode code) {
        return TaskMasterException.withoutStackTrace(
                code,
                "partition " + id + ": " + phase.name().toLowerCase(Locale.ROOT),
                Duration.ofMillis(settings.retryDelayMillis()),
                null);
    }

    /**
     * Admits nothing more, settles what is in flight, writes everything to the rows, and closes the epoch. Complete
     * when that is done or has failed.
     */
    public CompletableFuture<Void> drain() {
        return drain(() -> refusal(ErrorCode.SHUTTING_DOWN));
    }

    /**
     * Drains the partition as above, for another owner: later requests are told of it.
     *
     * @param elsewhere the error of later requests
     */
    CompletableFuture<Void> give(TaskMasterException elsewhere) {
        return drain(() -> elsewhere);
    }

    private CompletableFuture<Void> drain(Supplier<TaskMasterException> reason) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        strand.run(() -> {
            if (phase == Phase.SERVING) {
                enter(Phase.DRAINING);
            }
            if (refusal == null) {
                refusal = reason.get();
            }
            settle(done);
        });
        return done;
    }

    private void settle(CompletableFuture<Void> done) {
        PartitionRuntime runtime = partitionRuntime;
        if (phase != Phase.DRAINING || runtime == null) {
            end("shut down");
            done.complete(null);
        } else if (runtime.isSettled()) {
            // Whatever arrives before the record is stored finds no runtime, so nothing is appended behind the end that
            // the record states.
            partitionRuntime = null;
            var _ = runtime.close()
                    .whenComplete((_, _) -> strand.run(() -> {
                        end("shut down");
                        done.complete(null);
                    }));
        } else {
            runtime.drain();
            strand.schedule(SETTLE_CHECK_MILLIS, () -> settle(done));
        }
    }

    /** Ends the epoch as a crash would: at once, or when an offloaded task of this partition is done. Idempotent. */
    public void stop(String reason) {
        strand.run(() -> end(reason));
    }

    /**
     * Closes the partition as a crash would.
     *
     * @param reason the error of later requests and of those that wait: that the stored data are damaged, or that
     *     another node owns the partition
     */
    void close(TaskMasterException reason) {
        strand.run(() -> {
            refusal = reason;
            end(String.valueOf(reason.getMessage()));
        });
    }

    private void end(String reason) {
        enterFinalPhase();
        PartitionRuntime runtime = partitionRuntime;
        partitionRuntime = null;
        if (runtime != null) {
            runtime.stop(reason);
        }
    }

    private void enterFinalPhase() {
        Phase last = lastPhase();
        if (phase != last) {
            enter(last);
        }
    }

    private Phase lastPhase() {
        if (refusal == null) {
            return Phase.STOPPED;
        }
        return switch (refusal.code()) {
            case INTERNAL -> Phase.DAMAGED;
            case NOT_OWNER -> Phase.AWAY;
            default -> Phase.STOPPED;
        };
    }

    private void evict(long bytes) {
        PartitionRuntime runtime = partitionRuntime;
        if (runtime != null) {
            runtime.evict(bytes);
        }
    }

    private void ended(Throwable reason) {
        enterFinalPhase();
        partitionRuntime = null;
        ended.complete(reason);
    }
}
