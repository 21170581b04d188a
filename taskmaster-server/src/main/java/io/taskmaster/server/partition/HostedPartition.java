package io.taskmaster.server.partition;

import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.partition.loop.PartitionLoop;
import io.taskmaster.server.partition.read.Corruption;
import io.taskmaster.server.store.FreeSpace;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreCondition;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
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
 * CLOSED  | open()                                     | OPENING    | the first epoch begins
 * OPENING | recovered                                  | OPEN       | the opening is complete
 * OPENING | failed                                     | WAITING    | warning, if it is the first failure in a row
 * OPENING | the data are corrupt, or the replay broke  | DAMAGED    | the opening is complete; requests fail with the
 *         | twice at the same ticket                   |            | reason
 * OPEN    | the epoch ended                            | WAITING    | warning
 * OPEN    | the data are corrupt                       | DAMAGED    | requests fail with the reason
 * WAITING | the delay has passed                       | OPENING    | another epoch begins; the delay doubles with each
 *         |                                            |            | failure in a row, from 0.2 s to 2 s
 * any     | leave()                                    | CLOSED     | no further epoch begins
 * }</pre>
 */
final class HostedPartition {

    private static final Logger log = LoggerFactory.getLogger(HostedPartition.class);
    private static final long MIN_REOPEN_DELAY_MILLIS = 200;
    private static final long MAX_REOPEN_DELAY_MILLIS = 2_000;

    private final int id;
    private final PartitionLoop loop;
    private final Store store;
    private final Supplier<Partition> epochs;
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
     * Creates a partition that is not open yet.
     *
     * @param store tells whether a failure is that of the whole store
     * @param laterFormatReported shared by the partitions of a node
     * @param epochs makes the partition of the next epoch
     */
    HostedPartition(
            int id, PartitionLoop loop, Store store, AtomicBoolean laterFormatReported, Supplier<Partition> epochs) {
        this.id = id;
        this.loop = loop;
        this.store = store;
        this.laterFormatReported = laterFormatReported;
        this.epochs = epochs;
        this.current = epochs.get();
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
     * to be damaged; with a failure if the node leaves it meanwhile.
     */
    void open(CompletableFuture<Void> opened) {
        Partition partition = current;
        var _ = partition.ended().thenAccept(this::ended);
        var _ = partition.open().whenComplete((_, failure) -> {
            if (failure == null) {
                failures = 0;
                brokenReplay = 0;
                opened.complete(null);
            } else if (leaving) {
                opened.completeExceptionally(failure);
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
        } else {
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
        loop.schedule(delayMillis, () -> {
            if (!leaving) {
                // The old epoch first: a late outcome of it must find the old partition stopped, not the new one.
                current.stop("reopened");
                current = epochs.get();
                open(opened);
            }
        });
    }

    /** Lets no further epoch begin. Any thread may call this; the current epoch is then ended on the loop. */
    void leave() {
        leaving = true;
    }
}
