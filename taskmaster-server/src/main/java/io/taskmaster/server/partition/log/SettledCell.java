package io.taskmaster.server.partition.log;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A cell that contenders change by compare-and-set, as one of them sees it. Single-threaded: owned by a loop.
 *
 * <p>A compare-and-set whose outcome is not plainly "done" is settled by reading back. Every value is its writer's alone, and none ever
 * returns: who uses this sees to that, with a nonce and a number that only rises. So finding our value means that we won, finding the
 * expected one means that the same change may be tried again, and finding anything else means that we lost.
 */
public final class SettledCell {

    private final Store store;
    private final StoreCalls calls;
    private final CellKey key;
    private final Function<Optional<Bytes>, ? extends RuntimeException> lost;
    private Optional<Bytes> held;

    /**
     * A contender.
     *
     * @param held what it last wrote; empty: it knows nothing yet
     * @param lost what to fail with if the cell holds something else
     */
    public SettledCell(
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

    /** Reads the cell; later changes go out from what was read. */
    public CompletableFuture<Optional<Bytes>> read() {
        return peek().thenApply(found -> {
            held = found;
            return found;
        });
    }

    /** Reads the cell; changes nothing. */
    public CompletableFuture<Optional<Bytes>> peek() {
        return calls.attempt(() -> store.read(List.of(key)))
                .thenApply(cells -> cells.getFirst().map(Cell::value));
    }

    /** Fails if the cell no longer holds what was last read or set. */
    public CompletableFuture<Void> confirm() {
        return peek().thenAccept(found -> {
            if (!found.equals(held)) {
                throw lost.apply(found);
            }
        });
    }

    /**
     * Changes the cell from what was last read or set. Fails with what {@code lost} makes if another was faster, and with a
     * {@link io.taskmaster.server.store.StoreException} if it cannot be known: then the change may still happen.
     */
    public CompletableFuture<Void> replace(Bytes next) {
        return replace(next, 1);
    }

    private CompletableFuture<Void> replace(Bytes next, int tries) {
        return calls.insist(() -> store.compareAndSet(key, held, next), 1)
                .handle(StoreCalls::isDone)
                .thenCompose(done -> done ? CompletableFuture.completedFuture(Optional.of(next)) : peek())
                .thenCompose(found -> {
                    if (found.equals(Optional.of(next))) {
                        held = found;
                        return CompletableFuture.completedFuture(null);
                    }
                    if (!found.equals(held)) {
                        throw lost.apply(found);
                    }
                    if (tries == calls.maxTries()) {
                        throw StoreCalls.unknown("the cell %s could not be changed in %d tries".formatted(key, tries));
                    }
                    return calls.pause(tries).thenCompose(_ -> replace(next, tries + 1));
                });
    }
}
