package io.taskmaster.server.partition;

import io.taskmaster.error.PartitionOwner;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.log.ownership.NotAdmittedException;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.loop.PartitionLoop;
import io.taskmaster.server.partition.read.Corruption;
import io.taskmaster.server.store.FreeSpace;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreCondition;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A partition as its node hosts it, through all epochs: a {@link Partition} is one of them. Owned by the partition's
 * loop, apart from {@link #damage} and {@link #leave}, which are thread-safe.
 *
 * <pre>{@code
 * state   | event                                      | next state | effect
 * --------+--------------------------------------------+------------+--------------------------------------------------
 * AWAY    | host()                                     | OPENING    | an epoch begins
 * OPENING | recovered                                  | OPEN       | the opening is complete
 * OPENING | failed                                     | WAITING    | warning, if it is the first failure in a row
 * OPENING | the record does not admit us               | AWAY       | requests are told of the owner
 * OPENING | the data are corrupt, or the replay broke  | DAMAGED    | the opening is complete; requests fail with the
 *         | twice at the same ticket                   |            | reason
 * OPEN    | the epoch ended                            | WAITING    | warning
 * OPEN    | the data are corrupt                       | DAMAGED    | requests fail with the reason
 * OPEN    | give()                                     | AWAY       | settled and closed clean; requests are told of
 *         |                                            |            | the owner from the start
 * WAITING | the delay has passed                       | OPENING    | another epoch begins; the delay doubles with each
 *         |                                            |            | failure in a row, from 0.2 s to 2 s
 * WAITING,| give()                                     | AWAY       | requests are told of the owner
 * OPENING |                                            |            |
 * any     | leave()                                    | the same   | no further epoch begins
 * }</pre>
 *
 * <p>An owner that was deposed looks at the record once more before it lets go: that it lost a compare-and-set proves
 * only that the record changed (ADR 22).
 */
final class HostedPartition {

    private static final Logger log = LoggerFactory.getLogger(HostedPartition.class);
    private static final long MIN_REOPEN_DELAY_MILLIS = 200;
    private static final long MAX_REOPEN_DELAY_MILLIS = 2_000;

    private final int id;
    private final PartitionLoop loop;
    private final Store store;
    private final Function<OwnerCandidate, Partition> epochs;

    /** As whom the node owns the partition, or did last. */
    private OwnerCandidate owner;

    /** Whether it does, between two epochs as well. */
    private boolean held;

    private Partition current;

    /** Set by the first partition whose data are of a later version, so that the others do not say the same. */
    private final AtomicBoolean laterFormatReported;

    /** No further epoch begins. Set by any thread. */
    private volatile boolean leaving;

    /** The number of failures to open the partition since its last success. */
    private int failures;

    /** The ticket at which the last replay broke; 0: it did not. */
    private long brokenReplay;

    private volatile @Nullable TaskMasterException damage;

    /**
     * Creates a partition that is elsewhere.
     *
     * @param store tells whether a failure is that of the whole store
     * @param laterFormatReported shared by the partitions of a node
     * @param node the node
     * @param epochs makes the partition of the next epoch of an owner
     */
    HostedPartition(
            int id,
            PartitionLoop loop,
            Store store,
            AtomicBoolean laterFormatReported,
            OwnerCandidate node,
            Function<OwnerCandidate, Partition> epochs) {
        this.id = id;
        this.loop = loop;
        this.store = store;
        this.laterFormatReported = laterFormatReported;
        this.epochs = epochs;
        this.owner = node;
        this.current = epochs.apply(node);
        current.close(elsewhere(PartitionOwner.unknown(id)));
    }

    int id() {
        return id;
    }

    PartitionLoop loop() {
        return loop;
    }

    /** The partition of the current epoch. */
    Partition current() {
        return current;
    }

    /** The reason why the partition stays closed until the node restarts; empty unless its stored data are damaged. */
    Optional<TaskMasterException> damage() {
        return Optional.ofNullable(damage);
    }

    /**
     * Opens the partition, and opens it again whenever its epoch ends. Completes the future once it serves, or is found
     * to be damaged; with a failure if the node leaves it meanwhile, and with a {@link NotAdmittedException} if it has
     * another owner.
     *
     * @param next as whom; under a later version of the map than before
     */
    void host(OwnerCandidate next, CompletableFuture<Void> opened) {
        owner = next;
        held = true;
        begin(opened);
    }

    /** Begins an epoch. */
    private void begin(CompletableFuture<Void> opened) {
        current = epochs.apply(owner);
        Partition partition = current;
        var _ = partition.ended().thenAccept(this::ended);
        var _ = partition.open().whenComplete((_, failure) -> {
            if (!held) {
                opened.cancel(false);
            } else if (failure == null) {
                failures = 0;
                brokenReplay = 0;
                opened.complete(null);
            } else if (leaving) {
                opened.completeExceptionally(failure);
            } else if (StoreCalls.unwrap(failure) instanceof NotAdmittedException refused) {
                log.info("partition {}: {}", id, refused.getMessage());
                held = false;
                partition.close(elsewhere(refused.owner()));
                opened.completeExceptionally(refused);
            } else if (Corruption.isCauseOf(failure) || isBrokenAgain(failure)) {
                closeDamaged(failure);
                opened.complete(null);
            } else {
                logFailure("cannot be opened; retrying", failure);
                failures++;
                scheduleReopen(opened);
            }
        });
    }

    private void ended(Throwable reason) {
        if (Corruption.isCauseOf(reason)) {
            closeDamaged(reason);
        } else if (held) {
            logFailure("its epoch ended; reopening it", reason);
            // No caller waits for this opening: the future of the first one is complete already.
            scheduleReopen(new CompletableFuture<>());
        }
    }

    /**
     * Returns whether a replay broke at the same ticket as the attempt before: so would all others. One that breaks for
     * the first time is repeated from scratch, since the log may be right and the process wrong.
     */
    private boolean isBrokenAgain(Throwable failure) {
        long before = brokenReplay;
        brokenReplay = failure.getCause() instanceof BrokenReplayException wrapped
                ? wrapped.ticket()
                : failure instanceof BrokenReplayException broken ? broken.ticket() : 0;
        return before != 0 && before == brokenReplay;
    }

    /**
     * Logs the first failure in a row as a warning. A store that is full or broken is logged once by the store, and not
     * by every partition.
     */
    private void logFailure(String event, Throwable failure) {
        boolean known = failures > 0
                || store.freeSpace().level() == FreeSpace.Level.NONE
                || store.condition().state() != StoreCondition.State.OPEN;
        log.atLevel(known ? Level.DEBUG : Level.WARN).log("partition {}: {}: {}", id, event, failure.toString());
    }

    private void closeDamaged(Throwable cause) {
        TaskMasterException error = Corruption.ofPartition(id, cause);
        String message = String.valueOf(error.getMessage());
        damage = error;
        if (!Corruption.isLaterFormat(cause)) {
            log.error(message, cause);
        } else {
            // Every partition of such data says the same, and a stack trace says nothing more.
            log.atLevel(laterFormatReported.getAndSet(true) ? Level.DEBUG : Level.ERROR)
                    .log(message);
        }
        current.close(error);
    }

    private void scheduleReopen(CompletableFuture<Void> opened) {
        long delayMillis = Math.min(MIN_REOPEN_DELAY_MILLIS << Math.min(failures, 8), MAX_REOPEN_DELAY_MILLIS);
        Partition ended = current;
        loop.schedule(delayMillis, () -> {
            if (held && !leaving && current.equals(ended)) {
                // The old epoch first: a late outcome of it must find the old partition stopped, not the new one.
                current.stop("reopened");
                begin(opened);
            }
        });
    }

    /**
     * Gives the partition away. From now on its requests are told of its owner. Complete once what was in flight is
     * settled and the epoch is closed, or has ended otherwise.
     */
    CompletableFuture<Void> give(PartitionOwner to) {
        held = false;
        return current.give(elsewhere(to));
    }

    private static TaskMasterException elsewhere(PartitionOwner owner) {
        return TaskMasterException.notOwner(owner, owner.toString(), null);
    }

    /** Lets no further epoch begin. Any thread may call this; the current epoch is then ended on the loop. */
    void leave() {
        leaving = true;
    }
}
