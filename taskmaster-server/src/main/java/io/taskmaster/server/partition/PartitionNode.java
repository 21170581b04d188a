package io.taskmaster.server.partition;

import io.micrometer.core.instrument.MeterRegistry;
import io.taskmaster.command.Command;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.PartitionOwner;
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
import io.taskmaster.server.partition.log.ownership.NotAdmittedException;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.loop.LoopThreads;
import io.taskmaster.server.partition.loop.Loops;
import io.taskmaster.server.partition.loop.PartitionLoop;
import io.taskmaster.server.partition.read.Corruption;
import io.taskmaster.server.store.MeteredStore;
import io.taskmaster.server.store.Store;
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
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node that owns every partition of its store, spread over a number of loops. What becomes of each of them is up to
 * its {@link HostedPartition}: one whose data are damaged stays closed, and the others serve. Thread-safe.
 */
public final class PartitionNode implements Node {

    private static final Logger log = LoggerFactory.getLogger(PartitionNode.class);

    private final Store store;
    private final Claim claim;
    private final NodeResources nodeResources;
    private final Duration shutdownTimeout;
    private final Loops loops;

    private final List<HostedPartition> partitions;

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
        this.nodeResources = NodeResources.of(budget, settings, meters);
        loops.clock().ifPresent(nodeResources.meters()::clock);
        this.store = new MeteredStore(data.store(), nodeResources.meters().registry());
        this.shutdownTimeout = shutdownTimeout;
        var laterFormatReported = new AtomicBoolean();
        this.partitions = IntStream.range(0, data.partitions())
                .mapToObj(id -> {
                    PartitionLoop loop = loops.loop(id % loops.count());
                    Function<OwnerCandidate, Partition> epochs =
                            owner -> new Partition(id, owner, store.session(), loop, settings, nodeResources, random);
                    return new HostedPartition(id, loop, store, laterFormatReported, claim.owner(), epochs);
                })
                .toList();
    }

    /**
     * Opens all partitions, in parallel. Complete when each serves or is found to be corrupt. Fails with a
     * {@link StoreException} if all of them are corrupt, with a {@link StoreInUseException} if another node takes them
     * meanwhile, with a {@link StoreStuckException} if the store broke and this process cannot open it again, and with
     * an {@link UnknownLayoutException} if a later version of TaskMaster wrote all of them.
     */
    public CompletableFuture<Void> open() {
        start();
        List<CompletableFuture<Void>> opened = partitions.stream()
                .map(partition -> host(partition.id(), claim.owner()))
                .toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(opened.toArray(CompletableFuture<?>[]::new))
                .thenRun(this::requireUndamagedPartition);
        // A partition that waits for another attempt when the claim is lost never completes, so the loss itself ends
        // the wait.
        return CompletableFuture.anyOf(all, lost.thenAccept(PartitionNode::throwLoss))
                .thenAccept(_ -> {});
    }

    private void start() {
        loops.start();
        var _ = claim.lost().thenAccept(this::onLost);
        var _ = store.broken().thenAccept(this::onLost);
    }

    /**
     * Opens a partition, and opens it again whenever its epoch ends. Complete when it serves, or is found to be
     * damaged. Fails with a {@link NotAdmittedException} if it has another owner under a map that is no older; then its
     * requests are told of that owner.
     *
     * @param owner as whom; under a later version of the map than before
     */
    CompletableFuture<Void> host(int partition, OwnerCandidate owner) {
        HostedPartition hosted = partitions.get(partition);
        CompletableFuture<Void> opened = new CompletableFuture<>();
        hosted.loop().execute(() -> hosted.host(owner, opened));
        return opened;
    }

    /**
     * Gives a partition away: it admits nothing more, settles what is in flight, and closes its epoch. Complete when
     * that is done or has failed. Requests are told of the owner from the start.
     */
    CompletableFuture<Void> give(int partition, PartitionOwner to) {
        HostedPartition hosted = partitions.get(partition);
        CompletableFuture<Void> given = new CompletableFuture<>();
        hosted.loop().execute(() -> {
            var _ = hosted.give(to).thenRun(() -> given.complete(null));
        });
        return given;
    }

    private static void throwLoss(Throwable reason) {
        throw reason instanceof StoreStuckException stuck
                ? stuck
                : new StoreInUseException(String.valueOf(reason.getMessage()));
    }

    private void requireUndamagedPartition() {
        Map<Integer, TaskMasterException> damaged = damaged();
        if (damaged.size() == partitions.size()) {
            throw noPartition(damaged.values());
        }
        if (!damaged.isEmpty()) {
            log.error(
                    "{} of {} partitions stay closed: {}. The others are served. {}",
                    damaged.size(),
                    partitions.size(),
                    damaged.keySet(),
                    damaged.values().stream().anyMatch(Corruption::isLaterFormat)
                            ? "Start the later version that wrote the data"
                            : "Restore the data folder from a copy, or go on without them");
        }
    }

    private Map<Integer, TaskMasterException> damaged() {
        Map<Integer, TaskMasterException> damaged = new TreeMap<>();
        partitions.forEach(partition -> partition.damage().ifPresent(damage -> damaged.put(partition.id(), damage)));
        return damaged;
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
        leave();
        for (HostedPartition partition : partitions) {
            partition.loop().execute(() -> partition.current().stop(String.valueOf(reason.getMessage())));
        }
        lost.complete(reason);
    }

    /** Lets no epoch begin any more; before those under way are ended, so that none of them is followed by another. */
    private void leave() {
        closing = true;
        partitions.forEach(HostedPartition::leave);
    }

    @Override
    public CompletableFuture<Throwable> lost() {
        return lost.copy();
    }

    /** The current epoch of a partition; to be called on its loop. */
    Partition partition(int id) {
        return partitions.get(id).current();
    }

    @Override
    public int partitions() {
        return partitions.size();
    }

    @Override
    public void submit(GroupName group, Command command, ReplySink sink) {
        submit(Partitions.partitionOf(group, partitions.size()), command, sink);
    }

    @Override
    public void submit(int partition, Command command, ReplySink sink) {
        HostedPartition hosted = partitions.get(partition);
        // The current epoch is read on the loop, which replaces it when the partition is opened again.
        hosted.loop().execute(() -> hosted.current().submit(command, sink));
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
                Partitions.partitionOf(group, partitions.size()),
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
        HostedPartition hosted = partitions.get(partition);
        hosted.loop().execute(() -> operation.accept(hosted.current(), result));
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
        leave();
        List<CompletableFuture<Void>> drained = new ArrayList<>();
        for (HostedPartition partition : partitions) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            partition.loop().execute(() -> {
                var _ = partition.current().drain().whenComplete((_, _) -> done.complete(null));
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
        leave();
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
