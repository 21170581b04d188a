package io.taskmaster.server.partition;

import io.micrometer.core.instrument.MeterRegistry;
import io.taskmaster.command.Command;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Partitions;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.health.NodeHealth;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.engine.rank.QueueScan;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.claim.Claim;
import io.taskmaster.server.partition.context.NodeResources;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.loop.LoopThreads;
import io.taskmaster.server.partition.loop.Loops;
import io.taskmaster.server.partition.loop.PartitionLoop;
import io.taskmaster.server.partition.read.Corruption;
import io.taskmaster.server.store.FreeSpace;
import io.taskmaster.server.store.MeteredStore;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreCondition;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.StoreInUseException;
import io.taskmaster.server.store.StoreStuckException;
import io.taskmaster.server.store.UnknownLayoutException;
import io.taskmaster.time.Clock;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A node that owns every partition of its store, spread over a number of loops. A partition whose epoch ends because an
 * outcome was unknown, or because the store has to be reopened, is opened again under a new epoch. A partition whose
 * stored data are corrupt where it cannot do without them stays closed until the node restarts, and its requests fail
 * with the reason; the others serve. Thread-safe.
 */
public final class PartitionNode implements Node {

    private static final Logger log = LoggerFactory.getLogger(PartitionNode.class);
    private static final long MIN_REOPEN_DELAY_MILLIS = 200;
    private static final long MAX_REOPEN_DELAY_MILLIS = 2_000;

    private final Store store;
    private final Claim claim;
    private final PartitionSettings settings;
    private final NodeResources nodeResources;
    private final Duration shutdownTimeout;
    private final Loops loops;

    /** The partitions. Each element is owned by its partition's loop. */
    private final Partition[] partitions;

    /**
     * The number of failures to open each partition since its last success. Each element is owned by its partition's
     * loop.
     */
    private final int[] failures;

    /** The ticket at which the last replay of each partition broke; 0: it did not. Owned as {@link #failures}. */
    private final long[] brokenReplays;

    /** The reasons of partitions that are closed until a restart. */
    private final Map<Integer, TaskMasterException> damaged = new ConcurrentHashMap<>();

    private final AtomicBoolean laterFormatReported = new AtomicBoolean();
    /** The source of the partitions' nonces. */
    private final RandomGenerator random;

    /** The read-only operations that partitions have not answered yet. */
    private final Set<CompletableFuture<?>> pendingQueries = ConcurrentHashMap.newKeySet();

    private final CompletableFuture<Throwable> lost = new CompletableFuture<>();
    private final AtomicBoolean released = new AtomicBoolean();
    private volatile boolean closing;

    /**
     * Creates a node on loop threads of its own.
     *
     * @param data closed with the node
     * @param loops the number of threads that run the partitions
     */
    public PartitionNode(
            ClaimedStore data,
            int loops,
            PartitionSettings settings,
            MemoryBudget budget,
            MeterRegistry meters,
            Clock clock,
            Duration shutdownTimeout) {
        this(data, new LoopThreads(loops, clock), settings, budget, meters, new SecureRandom(), shutdownTimeout);
    }

    /**
     * Creates a node on the given loops.
     *
     * @param data closed with the node
     * @param loops run the partitions; closed with the node
     * @param random the source of the epochs' nonces
     */
    PartitionNode(
            ClaimedStore data,
            Loops loops,
            PartitionSettings settings,
            MemoryBudget budget,
            MeterRegistry meters,
            RandomGenerator random,
            Duration shutdownTimeout) {
        this.claim = data.claim();
        this.loops = loops;
        this.settings = settings;
        this.nodeResources = NodeResources.of(budget, settings, meters);
        loops.clock().ifPresent(nodeResources.meters()::clock);
        this.store = new MeteredStore(data.store(), nodeResources.meters().registry());
        this.random = random;
        this.shutdownTimeout = shutdownTimeout;
        this.failures = new int[data.partitions()];
        this.brokenReplays = new long[data.partitions()];
        this.partitions = new Partition[data.partitions()];
        for (int i = 0; i < partitions.length; i++) {
            this.partitions[i] = createPartition(i);
        }
    }

    /**
     * Opens all partitions, in parallel. Complete when each serves or is found to be corrupt. Fails with a
     * {@link StoreException} if all of them are corrupt, with a {@link StoreInUseException} if another node takes them
     * meanwhile, with a {@link StoreStuckException} if the store broke and this process cannot open it again, and with
     * an {@link UnknownLayoutException} if a later version of TaskMaster wrote all of them.
     */
    public CompletableFuture<Void> open() {
        List<CompletableFuture<Void>> opened = new ArrayList<>();
        loops.start();
        var _ = claim.lost().thenAccept(this::onLost);
        var _ = store.broken().thenAccept(this::onLost);
        for (int i = 0; i < partitions.length; i++) {
            int id = i;
            CompletableFuture<Void> done = new CompletableFuture<>();
            loopOf(id).execute(() -> open(id, done));
            opened.add(done);
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(opened.toArray(CompletableFuture<?>[]::new))
                .thenRun(this::requireUndamagedPartition);
        // A partition that waits for another attempt when the claim is lost never completes, so the loss itself ends
        // the wait.
        return CompletableFuture.anyOf(all, lost.thenAccept(PartitionNode::throwLoss))
                .thenAccept(_ -> {});
    }

    private static void throwLoss(Throwable reason) {
        throw reason instanceof StoreStuckException stuck
                ? stuck
                : new StoreInUseException(String.valueOf(reason.getMessage()));
    }

    private void requireUndamagedPartition() {
        if (damaged.size() == partitions.length) {
            throw noPartition(damaged.values());
        }
        if (!damaged.isEmpty()) {
            log.error(
                    "{} of {} partitions stay closed: {}. The others are served. {}",
                    damaged.size(),
                    partitions.length,
                    new TreeSet<>(damaged.keySet()),
                    damaged.values().stream().anyMatch(Corruption::isLaterFormat)
                            ? "Start the later version that wrote the data"
                            : "Restore the data folder from a copy, or go on without them");
        }
    }

    private static RuntimeException noPartition(Collection<TaskMasterException> reasons) {
        TaskMasterException first = reasons.iterator().next();
        return reasons.stream().allMatch(Corruption::isLaterFormat)
                ? new UnknownLayoutException(String.valueOf(first.getMessage()))
                : new StoreException(
                        Outcome.CORRUPT, "all partitions are damaged, for example: " + first.getMessage(), null);
    }

    /**
     * Stops all partitions: another node owns them, or this process has lost its store. Requests in flight fail, since
     * nothing can take effect any more.
     */
    private void onLost(Throwable reason) {
        // Before the partitions stop, so that none of them is opened again.
        closing = true;
        for (int i = 0; i < partitions.length; i++) {
            int id = i;
            loopOf(id).execute(() -> partitions[id].stop(String.valueOf(reason.getMessage())));
        }
        lost.complete(reason);
    }

    @Override
    public CompletableFuture<Throwable> lost() {
        return lost.copy();
    }

    private Partition createPartition(int id) {
        return new Partition(id, claim.owner(), store.session(), loopOf(id), settings, nodeResources, random);
    }

    private PartitionLoop loopOf(int partition) {
        return loops.loop(partition % loops.count());
    }

    /** The current epoch of a partition; to be called on its loop. */
    Partition partition(int id) {
        return partitions[id];
    }

    private void open(int id, CompletableFuture<Void> done) {
        Partition partition = partitions[id];
        var _ = partition.ended().thenAccept(reason -> {
            if (Corruption.isCauseOf(reason)) {
                closeDamaged(id, reason);
            } else {
                logFailure(id, "its epoch ended; reopening it", reason);
                // No caller waits for this opening: the future of the first one is complete already.
                scheduleReopen(id, new CompletableFuture<>());
            }
        });
        var _ = partition.open().whenComplete((_, failure) -> {
            if (failure == null) {
                failures[id] = 0;
                brokenReplays[id] = 0;
                done.complete(null);
            } else if (closing) {
                done.completeExceptionally(failure);
            } else if (Corruption.isCauseOf(failure) || isBrokenAgain(id, failure)) {
                closeDamaged(id, failure);
                done.complete(null);
            } else {
                logFailure(id, "cannot be opened; retrying", failure);
                failures[id]++;
                scheduleReopen(id, done);
            }
        });
    }

    /**
     * Returns whether a replay broke at the same ticket as the attempt before: so would all others. One that breaks for
     * the first time is repeated from scratch, since the log may be right and the process wrong.
     */
    private boolean isBrokenAgain(int id, Throwable failure) {
        long before = brokenReplays[id];
        brokenReplays[id] = failure.getCause() instanceof BrokenReplayException wrapped
                ? wrapped.ticket()
                : failure instanceof BrokenReplayException broken ? broken.ticket() : 0;
        return before != 0 && before == brokenReplays[id];
    }

    /**
     * Logs the first failure in a row as a warning. A store that is full or broken is logged once by the store, and not
     * by every partition.
     */
    private void logFailure(int id, String event, Throwable failure) {
        boolean known = failures[id] > 0
                || store.freeSpace().level() == FreeSpace.Level.NONE
                || store.condition().state() != StoreCondition.State.OPEN;
        log.atLevel(known ? Level.DEBUG : Level.WARN).log("partition {}: {}: {}", id, event, failure.toString());
    }

    private void closeDamaged(int id, Throwable damage) {
        TaskMasterException error = Corruption.ofPartition(id, damage);
        String message = String.valueOf(error.getMessage());
        damaged.put(id, error);
        if (!Corruption.isLaterFormat(damage)) {
            log.error(message, damage);
        } else {
            // Every partition of such data says the same, and a stack trace says nothing more.
            log.atLevel(laterFormatReported.getAndSet(true) ? Level.DEBUG : Level.ERROR)
                    .log(message);
        }
        partitions[id].close(error);
    }

    private void scheduleReopen(int id, CompletableFuture<Void> done) {
        long delayMillis = Math.min(MIN_REOPEN_DELAY_MILLIS << Math.min(failures[id], 8), MAX_REOPEN_DELAY_MILLIS);
        loopOf(id).schedule(delayMillis, () -> {
            if (!closing) {
                // The old epoch first: a late outcome of it must find the old partition stopped, not the new one.
                partitions[id].stop("reopened");
                partitions[id] = createPartition(id);
                open(id, done);
            }
        });
    }

    @Override
    public int partitions() {
        return partitions.length;
    }

    @Override
    public void submit(GroupName group, Command command, ReplySink sink) {
        submit(Partitions.partitionOf(group, partitions.length), command, sink);
    }

    @Override
    public void submit(int partition, Command command, ReplySink sink) {
        // The element is read on the loop, which replaces it when the partition is opened again.
        loopOf(partition).execute(() -> partitions[partition].submit(command, sink));
    }

    @Override
    public CompletableFuture<FlowSnapshot> flow(int partition) {
        return query(partition, Partition::flow);
    }

    @Override
    public <A> CompletableFuture<Optional<A>> scan(int partition, LongFunction<? extends QueueScan<A>> begin) {
        return query(partition, (target, result) -> target.scan(begin, result));
    }

    @Override
    public CompletableFuture<Integer> uncleared(GroupName group, Collection<QueueKey> queues) {
        return query(
                Partitions.partitionOf(group, partitions.length),
                (partition, result) -> partition.uncleared(queues, result));
    }

    /**
     * Runs a read-only operation on a partition's loop. Closed loops run nothing: operations that are in flight when
     * the node is closed fail, and so do later ones.
     */
    @SuppressWarnings("CollectionUndefinedEquality") // identity is meant: no two futures are equal
    private <A> CompletableFuture<A> query(int partition, BiConsumer<Partition, CompletableFuture<A>> operation) {
        CompletableFuture<A> result = new CompletableFuture<>();
        pendingQueries.add(result);
        var _ = result.whenComplete((_, _) -> pendingQueries.remove(result));
        loopOf(partition).execute(() -> operation.accept(partitions[partition], result));
        // Checked after the operation was added: a concurrent close either sees it in the set, or is seen here.
        if (released.get()) {
            failPendingQueries();
        }
        return result;
    }

    private void failPendingQueries() {
        pendingQueries.forEach(pending -> pending.completeExceptionally(TaskMasterException.withoutStackTrace(
                ErrorCode.SHUTTING_DOWN, "the node is shutting down", null, null)));
    }

    @Override
    public NodeHealth health() {
        return HealthReport.of(nodeResources.phases().counts(), store.condition(), store.freeSpace());
    }

    @Override
    public void followHealth(Runnable changed) {
        nodeResources.phases().follow(changed);
    }

    /**
     * Opens nothing any more, settles what is in flight, and writes dirty state. Complete when all partitions have done
     * so.
     */
    CompletableFuture<Void> drain() {
        closing = true;
        List<CompletableFuture<Void>> drained = new ArrayList<>();
        for (int i = 0; i < partitions.length; i++) {
            int id = i;
            CompletableFuture<Void> done = new CompletableFuture<>();
            loopOf(id).execute(() -> {
                var _ = partitions[id].drain().whenComplete((_, _) -> done.complete(null));
            });
            drained.add(done);
        }
        return CompletableFuture.allOf(drained.toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public void close() {
        if (!closing) {
            giveUp();
        }
        release();
    }

    private void giveUp() {
        try {
            drain().thenCompose(_ -> claim.release()).get(shutdownTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            log.warn(
                    "not everything was flushed within {}; the next start replays the rest from the log",
                    shutdownTimeout);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException impossible) {
            log.error("draining failed", impossible);
        }
    }

    @Override
    public void abandon() {
        closing = true;
        release();
    }

    private void release() {
        if (!released.getAndSet(true)) {
            claim.abandon();
            failPendingQueries();
            // The loops before the store, so that none of their tasks uses a store that is closed.
            loops.close();
            store.close();
        }
    }

    /**
     * Runs the timers that are due after the owner of the clock has moved it. Complete when all of them have run;
     * operations that they start, such as reads of the store, may still be in flight. Never complete if the node is
     * closed meanwhile.
     */
    public CompletableFuture<Void> clockMoved() {
        return CompletableFuture.allOf(IntStream.range(0, loops.count())
                .mapToObj(number -> afterDueTimers(loops.loop(number)))
                .toArray(CompletableFuture<?>[]::new));
    }

    private static CompletableFuture<Void> afterDueTimers(PartitionLoop loop) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        // Timers fire in the order of their times: this one is due now, so it runs after all that are due.
        loop.execute(() -> loop.schedule(0, () -> done.complete(null)));
        return done;
    }
}
