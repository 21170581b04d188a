package io.taskmaster.server.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.StoreCondition.State;
import io.taskmaster.server.store.StoreException.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A store of this process that is closed and opened anew when it breaks, for as long as it takes. Thread-safe.
 *
 * <pre>
 *   OPEN --broken--> REOPENING --closed, opened--> OPEN
 *                      |    \--cannot be opened now--> REOPENING, after a pause that grows
 *                      \--damaged, held by another process, or cannot be closed--> LOST
 * </pre>
 *
 * <p>What was staged in a handle is gone with it, so that a later {@link #sync} of another handle must not be taken for its own. Therefore each
 * {@link #session} belongs to one handle and fails with it, for good: with {@link Outcome#UNKNOWN}, which ends an epoch, and not with a refusal,
 * which would be tried again.
 */
public final class ReopeningStore implements Store {

    private static final Logger log = LoggerFactory.getLogger(ReopeningStore.class);
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 1_000;

    /** A handle that breaks sooner was of no use: opening costs every partition an epoch, so it is opened less and less often. */
    private static final Duration USEFUL = Duration.ofSeconds(10);

    private static final long LONGEST_REST_MILLIS = 10_000;

    private final Supplier<? extends Store> reopener;
    private final Duration closeLimit;
    private final ScheduledExecutorService worker =
            Executors.newSingleThreadScheduledExecutor(daemons("taskmaster-store-reopen"));
    private final CompletableFuture<RuntimeException> lost = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Session current;
    private final LongAdder reopenings = new LongAdder();

    /** How many handles in a row broke soon after they were opened. Owned by the worker. */
    private int brief;

    @GuardedBy("lock")
    private boolean closed;

    /**
     * Opens the store for the first time; what fails then is thrown.
     *
     * @param opener opens it for the first time, and may make what is missing
     * @param reopener opens what was open before, on a thread of its own, when it broke; makes nothing
     * @param closeLimit how long closing what broke may take, before this process is given up
     */
    public ReopeningStore(Supplier<? extends Store> opener, Supplier<? extends Store> reopener, Duration closeLimit) {
        this.reopener = reopener;
        this.closeLimit = closeLimit;
        this.current = begin(opener.get());
    }

    private static ThreadFactory daemons(String name) {
        return Thread.ofPlatform().name(name).daemon().factory();
    }

    private Session begin(Store opened) {
        Session session = new Session(opened);
        var _ = worker.schedule(() -> holds(session), USEFUL.toMillis(), TimeUnit.MILLISECONDS);
        var _ = opened.broken().thenAccept(reason -> broke(session, reason));
        return session;
    }

    /** It was open for as long as a handle is to be of use. */
    private void holds(Session session) {
        if (!session.broken.isDone()) {
            brief = 0;
        }
    }

    private void broke(Session session, RuntimeException reason) {
        session.broken.complete(reason);
        lock.lock();
        try {
            if (!closed) {
                log.error(
                        "the store failed, and is opened anew; partitions open again when it is: {}",
                        reason.getMessage());
                worker.execute(() -> replace(session));
            }
        } finally {
            lock.unlock();
        }
    }

    private void replace(Session session) {
        brief++;
        if (closeInTime(session.store)) {
            schedule(1, restMillis(brief));
        }
    }

    /** The pause before a store is opened whose last handles, so many of them, broke soon. The first time it is opened at once. */
    static long restMillis(int brief) {
        return brief <= 1
                ? 0
                : Math.min(LONGEST_PAUSE_MILLIS << Math.min(brief - 2, Integer.SIZE), LONGEST_REST_MILLIS);
    }

    /** Closing waits for operations in flight. One that never comes back, such as on a disk that hangs, would have it wait for ever. */
    private boolean closeInTime(Store broken) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        daemons("taskmaster-store-close").newThread(() -> close(broken, done)).start();
        try {
            done.orTimeout(closeLimit.toMillis(), TimeUnit.MILLISECONDS).join();
            return true;
        } catch (CompletionException late) {
            lose(new StoreStuckException("the store failed, and was not closed after " + closeLimit, late));
            return false;
        }
    }

    private static void close(Store broken, CompletableFuture<Void> done) {
        try {
            broken.close();
        } catch (RuntimeException unclean) {
            log.info("the store that failed was not closed cleanly: {}", unclean.getMessage());
        }
        done.complete(null);
    }

    private void reopen(int tries) {
        try {
            replaceBy(reopener.get(), tries);
        } catch (StoreInUseException | UnknownLayoutException unusable) {
            lose(unusable);
        } catch (StoreException failed) {
            if (failed.outcome() == Outcome.CORRUPT) {
                lose(failed);
            } else {
                tryLater(tries, failed);
            }
        } catch (RuntimeException unexpected) {
            tryLater(tries, unexpected);
        } catch (LinkageError | OutOfMemoryError broken) {
            lose(new StoreStuckException("the store failed, and this process cannot open it: " + broken, broken));
        }
    }

    private void replaceBy(Store opened, int tries) {
        lock.lock();
        try {
            if (!closed) {
                reopenings.increment();
                current = begin(opened);
                log.warn("the store is open again (tries: {})", tries);
                return;
            }
        } finally {
            lock.unlock();
        }
        opened.close();
    }

    private void tryLater(int tries, RuntimeException failed) {
        log.atLevel(tries == 1 ? Level.WARN : Level.DEBUG)
                .log("the store cannot be opened yet, trying on: {}", failed.getMessage());
        schedule(tries + 1, Math.min(FIRST_PAUSE_MILLIS * tries, LONGEST_PAUSE_MILLIS));
    }

    private void schedule(int tries, long pauseMillis) {
        lock.lock();
        try {
            if (!closed) {
                var _ = worker.schedule(() -> reopen(tries), pauseMillis, TimeUnit.MILLISECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    private void lose(RuntimeException reason) {
        log.error("the store cannot be opened again by this process: {}", reason.getMessage());
        lost.complete(reason);
    }

    @Override
    public Store session() {
        return current;
    }

    /** Complete once it is lost. */
    @Override
    public CompletableFuture<RuntimeException> broken() {
        return lost.copy();
    }

    @Override
    public StoreCondition condition() {
        Session session = current;
        RuntimeException reason = lost.isDone() ? lost.join() : session.broken.getNow(null);
        State state = lost.isDone() ? State.LOST : reason == null ? State.OPEN : State.REOPENING;
        return new StoreCondition(
                state,
                reason == null ? "" : String.valueOf(reason.getMessage()),
                session.store.condition().freeBytes(),
                reopenings.sum());
    }

    @Override
    public CompletableFuture<Void> write(List<CellWrite> writes) {
        return current.write(writes);
    }

    @Override
    public CompletableFuture<Void> stage(List<CellWrite> writes) {
        return current.stage(writes);
    }

    @Override
    public CompletableFuture<Void> sync() {
        return current.sync();
    }

    @Override
    public CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value) {
        return current.putIfAbsent(key, value);
    }

    @Override
    public CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
        return current.compareAndSet(key, expected, value);
    }

    @Override
    public CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys) {
        return current.read(keys);
    }

    @Override
    public CompletableFuture<ScanResult> scan(RowRange range, ScanLimit limit) {
        return current.scan(range, limit);
    }

    @Override
    public CompletableFuture<Void> deleteRange(RowRange range) {
        return current.deleteRange(range);
    }

    @Override
    public int maxRowBytes() {
        return current.maxRowBytes();
    }

    @Override
    public Room room() {
        return current.room();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            lock.unlock();
        }
        worker.shutdownNow();
        if (!(lost.isDone() && lost.join() instanceof StoreStuckException)) {
            worker.close();
            current.store.close();
        }
    }

    /** One handle of the store, from its opening until it breaks. */
    private static final class Session implements Store {

        private final Store store;
        private final CompletableFuture<RuntimeException> broken = new CompletableFuture<>();

        private Session(Store store) {
            this.store = store;
        }

        private <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> operation) {
            RuntimeException reason = broken.getNow(null);
            return reason == null
                    ? operation.get()
                    : CompletableFuture.failedFuture(new StoreException(
                            Outcome.UNKNOWN, "the store is opened anew: " + reason.getMessage(), reason));
        }

        @Override
        public CompletableFuture<RuntimeException> broken() {
            return broken.copy();
        }

        @Override
        public StoreCondition condition() {
            return store.condition();
        }

        @Override
        public CompletableFuture<Void> write(List<CellWrite> writes) {
            return call(() -> store.write(writes));
        }

        @Override
        public CompletableFuture<Void> stage(List<CellWrite> writes) {
            return call(() -> store.stage(writes));
        }

        @Override
        public CompletableFuture<Void> sync() {
            return call(store::sync);
        }

        @Override
        public CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value) {
            return call(() -> store.putIfAbsent(key, value));
        }

        @Override
        public CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
            return call(() -> store.compareAndSet(key, expected, value));
        }

        @Override
        public CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys) {
            return call(() -> store.read(keys));
        }

        @Override
        public CompletableFuture<ScanResult> scan(RowRange range, ScanLimit limit) {
            return call(() -> store.scan(range, limit));
        }

        @Override
        public CompletableFuture<Void> deleteRange(RowRange range) {
            return call(() -> store.deleteRange(range));
        }

        @Override
        public int maxRowBytes() {
            return store.maxRowBytes();
        }

        @Override
        public Room room() {
            return store.room();
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException("a session ends with its store");
        }
    }
}
