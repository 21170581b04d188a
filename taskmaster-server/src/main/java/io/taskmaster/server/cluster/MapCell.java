package io.taskmaster.server.cluster;

import io.taskmaster.model.Bytes;
import io.taskmaster.placement.PartitionMap;
import io.taskmaster.server.bytes.CorruptRecordException;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.log.ownership.CompareAndSetCell;
import io.taskmaster.server.partition.log.ownership.DeposedException;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The map in the store: a head, which is changed by compare-and-set, and a body for each version, which is written
 * before the head and never changed. So the head always names a whole body. Single-threaded: owned by the executor of
 * its calls.
 *
 * <pre>{@code
 * state                  | event                                | next state             | effect
 * -----------------------+--------------------------------------+------------------------+----------------------------
 * head n                 | a controller publishes n + 1         | head n, body n + 1     | body put if absent
 * head n, body n + 1     | its compare-and-set                  | head n + 1             | body n - 15 is deleted
 * head n, body n + 1     | another publishes another map n + 1: | head n + 1, that of    | the other is told "not
 *                        | the first has crashed, or is slow    | the first              | yours", and decides anew
 * head n + 1             | a controller that saw n publishes    | head n + 1             | told "not yours"
 * }</pre>
 */
public final class MapCell {

    /** The number of bodies that are kept, so that a slow reader of a head finds its body. */
    static final int KEPT_BODIES = 16;

    /** Less than the version of any map. */
    static final long NO_VERSION = -1;

    private static final Logger log = LoggerFactory.getLogger(MapCell.class);

    private final Store store;
    private final StoreCalls calls;

    /** All bodies of lower versions have been deleted, unless a controller was very slow. */
    private long sweptTo;

    public MapCell(Store store, StoreCalls calls) {
        this.store = store;
        this.calls = calls;
    }

    /** Reads the map in force, as {@link #readLaterThan}; empty if none was ever published. */
    public CompletableFuture<Optional<PublishedMap>> read() {
        return readLaterThan(NO_VERSION);
    }

    /**
     * Reads the map in force if it is later than a version, and its head alone if not; empty if there is no later one.
     * Fails with a {@link DamagedMapException} if its body is missing or does not match, and with a
     * {@link CorruptRecordException} if a later version of TaskMaster wrote it.
     */
    public CompletableFuture<Optional<PublishedMap>> readLaterThan(long version) {
        return readHead().thenCompose(found -> {
            if (found.isEmpty() || found.get().version() <= version) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            MapHead head = found.get();
            return readCell(ClusterRows.mapBody(head.version()))
                    .thenCompose(body -> body.filter(head::isOf).isPresent()
                            ? CompletableFuture.completedFuture(Optional.of(
                                    new PublishedMap(whole(head.version(), body.get()), head.formatLevel())))
                            : readAgain(head, body.isPresent()));
        });
    }

    /** Reads once more, since the body of an old head may have been deleted between the two reads. */
    private CompletableFuture<Optional<PublishedMap>> readAgain(MapHead head, boolean hasBody) {
        return readHead().thenCompose(now -> {
            if (now.equals(Optional.of(head))) {
                throw new DamagedMapException("body of map %d: %s (expected: that of its head)"
                        .formatted(head.version(), hasBody ? "another checksum" : "missing"));
            }
            return readLaterThan(head.version());
        });
    }

    /**
     * Publishes a map. Returns true if it is in force, and false if another controller's map came first: that one is in
     * force now, or a later one. Fails with a {@link io.taskmaster.server.store.StoreException} if the outcome is
     * unknown: the map may still come into force.
     *
     * @param before the map from which it was decided, as read; empty if there was none
     * @param next the map; its version follows that of the map before
     */
    public CompletableFuture<Boolean> publish(Optional<PublishedMap> before, PublishedMap next) {
        if (before.isPresent() && next.version() != before.get().version() + 1) {
            throw new IllegalArgumentException("version of the next map: %d (expected: %d)"
                    .formatted(next.version(), before.get().version() + 1));
        }
        Bytes body = MapCodec.encodeBody(next.map());
        CompareAndSetCell head = new CompareAndSetCell(
                store,
                calls,
                ClusterRows.mapHead(),
                before.map(MapCell::headOf),
                _ -> new DeposedException("map %d: another controller's was first".formatted(next.version())));
        return putBody(next.version(), body, 1)
                .thenCompose(stored -> stored.equals(body)
                        ? head.replace(headOf(next)).thenApply(_ -> true)
                        : finish(head, stored, before.orElse(next).formatLevel(), next.version()))
                .exceptionallyCompose(failure -> StoreCalls.unwrap(failure) instanceof DeposedException
                        ? CompletableFuture.completedFuture(false)
                        : CompletableFuture.failedFuture(StoreCalls.unwrap(failure)))
                .thenApply(ours -> {
                    // Only then it is known that no head names a body before.
                    if (ours) {
                        sweep(next.version() - KEPT_BODIES + 1);
                    }
                    return ours;
                });
    }

    /**
     * Publishes the map of a controller that has stored the body and not yet the head: it may be dead, and no other map
     * can have this version.
     */
    private static CompletableFuture<Boolean> finish(
            CompareAndSetCell head, Bytes stored, int formatLevel, long version) {
        log.info("map {} is another controller's, which has not published it yet; publishing it", version);
        PublishedMap theirs = new PublishedMap(whole(version, stored), formatLevel);
        return head.replace(headOf(theirs)).thenApply(_ -> false);
    }

    /** Puts a body unless there is one. Returns the one that is stored. */
    private CompletableFuture<Bytes> putBody(long version, Bytes body, int tries) {
        CellKey key = ClusterRows.mapBody(version);
        return calls.retry(() -> store.putIfAbsent(key, body), 1)
                .handle(StoreCalls::isDone)
                .thenCompose(done -> done ? CompletableFuture.completedFuture(Optional.of(body)) : readCell(key))
                .thenCompose(found -> {
                    if (found.isPresent()) {
                        return CompletableFuture.completedFuture(found.get());
                    }
                    if (tries == calls.maxTries()) {
                        throw StoreCalls.unknown(
                                "the body of map %d could not be stored in %d tries".formatted(version, tries));
                    }
                    return calls.backOff(tries).thenCompose(_ -> putBody(version, body, tries + 1));
                });
    }

    /** Deletes the bodies of lower versions. A failure is left to the next map. */
    private void sweep(long version) {
        if (version > sweptTo) {
            var _ = calls.retry(() -> store.deleteRange(ClusterRows.mapBodies(sweptTo, version)), 1)
                    .whenComplete((_, failure) -> {
                        if (failure == null) {
                            sweptTo = Math.max(sweptTo, version);
                        } else {
                            log.info("bodies of maps before {} are still there: {}", version, failure.getMessage());
                        }
                    });
        }
    }

    private CompletableFuture<Optional<MapHead>> readHead() {
        return readCell(ClusterRows.mapHead()).thenApply(found -> found.map(MapCodec::decodeHead));
    }

    private CompletableFuture<Optional<Bytes>> readCell(CellKey key) {
        return calls.attempt(() -> store.read(List.of(key)))
                .thenApply(cells -> cells.getFirst().map(Cell::value));
    }

    private static Bytes headOf(PublishedMap published) {
        return MapCodec.encodeHead(
                MapHead.of(published.version(), MapCodec.encodeBody(published.map()), published.formatLevel()));
    }

    private static PartitionMap whole(long version, Bytes body) {
        PartitionMap map = MapCodec.decodeBody(body);
        if (map.version() != version) {
            throw new DamagedMapException(
                    "body of map %d: of map %d (expected: its own)".formatted(version, map.version()));
        }
        return map;
    }
}
