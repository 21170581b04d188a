package io.taskmaster.server.partition.log.ownership;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A cell that several nodes change by compare-and-set, as one of them sees it. Single-threaded: owned by a loop.
 *
 * <p>A compare-and-set whose outcome is not plainly "done" is settled by reading back. Every value is unique to its
 * writer, and none ever recurs: the users of this class ensure that with a nonce and a number that only rises. So
 * reading our value means that we won, reading the expected one means that the same change may be tried again, and
 * reading anything else means that we lost.
 */
public final class CompareAndSetCell {

    private final Store store;
    private final StoreCalls calls;
    private final CellKey key;
    private final Function<Optional<Bytes>, ? extends RuntimeException> lost;
    private Optional<Bytes> held;

    /**
     * Creates the view of one node.
     *
     * @param held the value that it last wrote; empty: none, the cell is to be read first or does not exist
     * @param lost makes the failure, if the cell holds another value
     */
    public CompareAndSetCell(
            Store store,
            StoreCalls calls,
            CellKey key,
            Optional<Bytes> held,
            Function<Optional<Bytes>, ? extends RuntimeException> lost) {
        this.store = store;
        this.calls = calls;
        this.key = key;
        this.held = held;
        this.lost = lost;
    }

    /** Reads the cell; later changes are compared with this value. */
    public CompletableFuture<Optional<Bytes>> read() {
        return peek().thenApply(found -> {
            held = found;
            return found;
        });
    }

    /** Reads the cell without changing the expected value. */
    public CompletableFuture<Optional<Bytes>> peek() {
        return calls.attempt(() -> store.read(List.of(key)))
                .thenApply(cells -> cells.getFirst().map(Cell::value));
    }

    /** Checks that the cell still holds the value last read or set; fails with the exception of {@code lost} if not. */
    public CompletableFuture<Void> confirm() {
        return peek().thenAccept(found -> {
            if (!found.equals(held)) {
                throw lost.apply(found);
            }
        });
    }

    /**
     * Replaces the value last read or set. Fails with the exception of {@code lost} if another node has changed it, and
     * with a {@link io.taskmaster.server.store.StoreException} if the outcome is unknown: then the change may still
     * happen.
     */
    public CompletableFuture<Void> replace(Bytes next) {
        return replace(next, 1);
    }

    private CompletableFuture<Void> replace(Bytes next, int tries) {
        return calls.retry(() -> store.compareAndSet(key, held, next), 1)
                .handle(StoreCalls::isDone)
                .thenCompose(done -> done ? CompletableFuture.completedFuture(Optional.of(next)) : peek())
                .thenCompose(found -> {
                    if (found.equals(Optional.of(next))) {
                        held = found;
                        return CompletableFuture.completedFuture(null);
                    }
                    // A third value: another node won. The expected value: our write has not landed, or lands late; the
                    // same write is then tried again.
                    if (!found.equals(held)) {
                        throw lost.apply(found);
                    }
                    if (tries == calls.maxTries()) {
                        throw StoreCalls.unknown("the cell %s could not be changed in %d tries".formatted(key, tries));
                    }
                    return calls.backOff(tries).thenCompose(_ -> replace(next, tries + 1));
                });
    }
}
