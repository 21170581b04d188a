package io.taskmaster.server.cluster;

import io.taskmaster.server.bytes.CorruptRecordException;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.calls.TimedExecutor;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.Store;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watcher of all members: one scan a look. Patience is counted in successful looks, at least an interval apart by the
 * watcher's own clock: a store that is away, or a watcher that was paused, makes no node dead. Thread-safe: all work is
 * done on the executor.
 */
public final class MemberWatch implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(MemberWatch.class);

    private final RowScan scan;
    private final TimedExecutor executor;
    private final long lookMillis;
    private final Consumer<List<WatchedMember>> listener;

    /** The members by their ids, as of the last successful look. This field and all below are owned by the executor. */
    private NavigableMap<String, WatchedMember> members = new TreeMap<>();

    private boolean failing;
    private boolean closed;

    /**
     * Creates a watcher, which does not look yet.
     *
     * @param lookMillis the least interval between the end of a look and the next one
     * @param listener told of all members after every successful look, on the executor
     */
    public MemberWatch(Store store, TimedExecutor executor, long lookMillis, Consumer<List<WatchedMember>> listener) {
        // Not retried: the next look comes soon, and a failed one counts nothing.
        this.scan = new RowScan(store, new StoreCalls(executor, 1));
        this.executor = executor;
        this.lookMillis = lookMillis;
        this.listener = listener;
    }

    /** Begins to look. */
    public void start() {
        executor.execute(this::look);
    }

    @Override
    public void close() {
        executor.execute(() -> closed = true);
    }

    private void look() {
        if (!closed) {
            var _ = scan.run(ClusterRows.members()).whenComplete(this::onLooked);
        }
    }

    private void onLooked(@Nullable List<Cell> found, @Nullable Throwable failure) {
        if (closed) {
            return;
        }
        if (found == null) {
            onFailure(failure);
        } else {
            failing = false;
            count(found);
            List<WatchedMember> seen = List.copyOf(members.values());
            // A task of its own, so that a failure of the listener does not end the looks.
            executor.execute(() -> listener.accept(seen));
        }
        executor.schedule(lookMillis, this::look);
    }

    private void count(List<Cell> found) {
        NavigableMap<String, WatchedMember> seen = new TreeMap<>();
        for (Cell cell : found) {
            String id = ClusterRows.nodeId(cell.key());
            Optional<WatchedMember> before = Optional.ofNullable(members.get(id));
            decode(id, cell)
                    .map(record ->
                            before.map(member -> member.seen(record)).orElseGet(() -> WatchedMember.first(record)))
                    .or(() -> before)
                    .ifPresent(member -> {
                        seen.put(id, member);
                        logChange(before.filter(WatchedMember::isDead).isPresent(), member);
                    });
        }
        members = seen;
    }

    private static Optional<MemberRecord> decode(String id, Cell cell) {
        try {
            return Optional.of(MemberCodec.decode(id, cell.value()));
        } catch (CorruptRecordException unreadable) {
            log.debug("the member {} cannot be read: {}", id, unreadable.getMessage());
            return Optional.empty();
        }
    }

    private static void logChange(boolean wasDead, WatchedMember member) {
        String name = member.record().profile().node().ownerName();
        if (!wasDead && member.isDead()) {
            log.warn("no heartbeat of {} in {} looks; it counts as dead", name, member.silentLooks());
        } else if (wasDead && !member.isDead()) {
            log.info("{} is alive", name);
        }
    }

    private void onFailure(@Nullable Throwable failure) {
        if (!failing && failure != null) {
            failing = true;
            log.warn(
                    "could not read the members; nothing is counted until that succeeds: {}",
                    StoreCalls.unwrap(failure).getMessage());
        }
    }
}
