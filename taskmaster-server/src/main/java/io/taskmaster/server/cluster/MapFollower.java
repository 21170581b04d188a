package io.taskmaster.server.cluster;

import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.calls.TimedExecutor;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's copy of the map, which follows the one in the store by looking at its head. The copy never goes back: only
 * larger versions are taken. Thread-safe: all work is done on the executor.
 *
 * <pre>{@code
 * state   | event                          | next    | effect
 * --------+--------------------------------+---------+-------------------------------------------------
 * waiting | interval passed                | looking | the head is read, and the body of a later version
 * waiting | hint of a later version        | looking | likewise, at once
 * looking | a later version                | waiting | the copy is replaced, the listener is told
 * looking | nothing later, or failure      | waiting | the copy stays
 * looking | hint of a later version        | looking | one look follows at once if the copy is still older
 * any     | close()                        | closed  | no more looks, and none of their results
 * }</pre>
 */
public final class MapFollower implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(MapFollower.class);

    private final MapCell cell;
    private final TimedExecutor executor;
    private final long lookMillis;
    private final Consumer<PublishedMap> listener;

    private volatile Optional<PublishedMap> current = Optional.empty();

    /** The largest version that was hinted at during a look. This field and all below are owned by the executor. */
    private long hinted = MapCell.NO_VERSION;

    private boolean looking;
    private boolean failing;
    private boolean closed;

    /** The number of looks, which tells the newest timer from older ones. */
    private long looks;

    /**
     * Creates a follower, which does not look yet.
     *
     * @param cell the cell, used by this follower alone and on the same executor
     * @param listener told of every new copy, on the executor
     */
    public MapFollower(MapCell cell, TimedExecutor executor, long lookMillis, Consumer<PublishedMap> listener) {
        this.cell = cell;
        this.executor = executor;
        this.lookMillis = lookMillis;
        this.listener = listener;
    }

    /** Returns the copy; empty if no map was found so far. */
    public Optional<PublishedMap> current() {
        return current;
    }

    /** Begins to look. */
    public void start() {
        executor.execute(this::look);
    }

    /** Looks at once if this version is later than that of the copy. */
    public void hint(long version) {
        executor.execute(() -> {
            if (version <= version()) {
                return;
            }
            if (looking) {
                hinted = Math.max(hinted, version);
            } else {
                look();
            }
        });
    }

    @Override
    public void close() {
        executor.execute(() -> closed = true);
    }

    private void look() {
        if (closed) {
            return;
        }
        looking = true;
        looks++;
        var _ = cell.readLaterThan(version())
                .handle((found, failure) -> {
                    onOutcome(failure);
                    return failure == null ? found : Optional.<PublishedMap>empty();
                })
                .thenAccept(this::onLooked);
    }

    private void onLooked(Optional<PublishedMap> found) {
        looking = false;
        if (closed) {
            return;
        }
        found.ifPresent(this::take);
        boolean again = hinted > version();
        hinted = MapCell.NO_VERSION;
        if (again) {
            look();
        } else {
            long look = looks;
            executor.schedule(lookMillis, () -> {
                if (look == looks) {
                    look();
                }
            });
        }
    }

    private void take(PublishedMap map) {
        current = Optional.of(map);
        // A task of its own, so that a failure of the listener does not end the looks.
        executor.execute(() -> listener.accept(map));
    }

    private void onOutcome(@Nullable Throwable failure) {
        if (failure != null && !failing) {
            log.warn(
                    "could not read the map; going on with map {}: {}",
                    version(),
                    StoreCalls.unwrap(failure).getMessage());
        }
        failing = failure != null;
    }

    private long version() {
        return current.map(PublishedMap::version).orElse(MapCell.NO_VERSION);
    }
}
