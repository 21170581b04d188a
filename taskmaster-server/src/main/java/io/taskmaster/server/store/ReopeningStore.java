package io.taskmaster.server.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.server.store.StoreCondition.State;
import io.taskmaster.server.store.StoreException.Outcome;
import java.time.Duration;
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
 * A store on this node's disk that is closed and reopened when it breaks, for as long as that takes. Thread-safe.
 *
 * <p>At any time one {@code Session} is current; all operations go to it. A session wraps one handle of the store. It
 * breaks when the handle reports {@link Store#broken}; a worker thread then closes the handle and opens a new one.
 *
 * <p>Data staged through a handle are gone when the handle breaks. A later {@link #sync} of another handle must not
 * pass for theirs. Therefore each {@link #session} belongs to one handle and fails with it, for good: with
 * {@link Outcome#UNKNOWN}, which ends an epoch, and not with a refusal, which would be retried. See ADR 12.
 *
 * <p>The states are those of {@link StoreCondition.State}. The state is derived, not stored: {@code lost} wins over
 * {@code broken} of the current session.
 *
 * <pre>{@code
 * state     | event                                 | next state | effect
 * ----------+---------------------------------------+------------+------------------------------------------------
 * OPEN      | the handle breaks                     | REOPENING  | its session fails; the handle is closed, then
 *           |                                       |            | reopened at once, or after a rest if it was brief
 * OPEN      | open for 10 s                         | OPEN       | the count of brief handles is reset
 * REOPENING | closing takes longer than closeLimit  | LOST       | broken() completes: StoreStuckException
 * REOPENING | the store opens                       | OPEN       | a new session is current
 * REOPENING | in use, unknown layout, corrupt,      | LOST       | broken() completes with the failure
 *           | linkage error, out of memory          |            |
 * REOPENING | any other failure to open             | REOPENING  | retried after a pause of 100 ms, then 200 ms,
 *           |                                       |            | and so on, up to 1 s
 * any       | close()                               | closed     | the handle is closed, unless it is stuck
 * }</pre>
 */
public final class ReopeningStore extends ForwardingStore {

    private static final Logger log = LoggerFactory.getLogger(ReopeningStore.class);
    private static final long MIN_RETRY_MILLIS = 100;
    private static final long MAX_RETRY_MILLIS = 1_000;

    /**
     * The shortest useful life of a handle. Reopening costs every partition an epoch, so handles that break sooner are
     * reopened less and less often.
     */
    private static final Duration MIN_LIFETIME = Duration.ofSeconds(10);

    private static final long MAX_BACKOFF_MILLIS = 10_000;

    private final Supplier<? extends Store> reopener;
    private final Duration closeLimit;
    private final ScheduledExecutorService worker =
            Executors.newSingleThreadScheduledExecutor(daemons("taskmaster-store-reopen"));
    private final CompletableFuture<RuntimeException> lost = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Session current;
    private final LongAdder reopenings = new LongAdder();

    /**
     * The number of consecutive handles that broke within {@link #MIN_LIFETIME}. Single-threaded: owned by the worker.
     */
    private int shortLived;

    @GuardedBy("lock")
    private boolean closed;

    /**
     * Opens the store for the first time. A failure to do so is thrown.
     *
     * @param opener opens the store for the first time; may create missing data
     * @param reopener reopens the store on the worker thread after it broke; creates nothing
     * @param closeLimit the time limit for closing a broken handle; when it passes, the store is lost to this process
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
        var _ = worker.schedule(() -> survived(session), MIN_LIFETIME.toMillis(), TimeUnit.MILLISECONDS);
        var _ = opened.broken().thenAccept(reason -> broke(session, reason));
        return session;
    }

    /** Resets the count of brief handles if the session has survived {@link #MIN_LIFETIME}. */
    private void survived(Session session) {
        if (!session.broken.isDone()) {
            shortLived = 0;
        }
    }

    private void broke(Session session, RuntimeException reason) {
        session.broken.complete(reason);
        lock.lock();
        try {
            // Under the lock of close(), since a worker that is shut down would reject the task.
            if (!closed) {
                log.error("the store failed; reopening it, and then its partitions: {}", reason.getMessage());
                worker.execute(() -> replace(session));
            }
        } finally {
            lock.unlock();
        }
    }

    private void replace(Session session) {
        shortLived++;
        if (closeInTime(session.store)) {
            schedule(1, backoffMillis(shortLived));
        }
    }

    /**
     * Returns the pause before a store is reopened after that many consecutive brief handles. The first time there is
     * none.
     */
    static long backoffMillis(int shortLived) {
        return shortLived <= 1
                ? 0
                : Math.min(MAX_RETRY_MILLIS << Math.min(shortLived - 2, Integer.SIZE), MAX_BACKOFF_MILLIS);
    }

    /**
     * Closes a broken handle within the limit. Closing waits for operations in flight; one that never returns, as on a
     * hung disk, would block it forever.
     */
    private boolean closeInTime(Store broken) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        // On a thread of its own, which is left behind if it hangs, so that the worker is not.
        daemons("taskmaster-store-close").newThread(() -> close(broken, done)).start();
        try {
            done.orTimeout(closeLimit.toMillis(), TimeUnit.MILLISECONDS).join();
            return true;
        } catch (CompletionException late) {
            lose(new StoreStuckException("the store failed, and could not be closed within " + closeLimit, late));
            return false;
        }
    }

    private static void close(Store broken, CompletableFuture<Void> done) {
        try {
            broken.close();
        } catch (RuntimeException unclean) {
            log.info("the failed store was not closed cleanly: {}", unclean.getMessage());
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
                scheduleRetry(tries, failed);
            }
        } catch (RuntimeException unexpected) {
            scheduleRetry(tries, unexpected);
        } catch (LinkageError | OutOfMemoryError broken) {
            lose(new StoreStuckException("the store failed, and this process cannot reopen it: " + broken, broken));
        }
    }

    private void replaceBy(Store opened, int tries) {
        lock.lock();
        try {
            if (!closed) {
                reopenings.increment();
                // The new handle may be broken already. Its replacement runs on this thread, so only after this
                // assignment.
                current = begin(opened);
                log.warn("the store is open again after {} tries", tries);
                return;
            }
        } finally {
            lock.unlock();
        }
        // close() ran while the store was being opened. It knew the old session only, so the new handle is closed here.
        opened.close();
    }

    private void scheduleRetry(int tries, RuntimeException failed) {
        log.atLevel(tries == 1 ? Level.WARN : Level.DEBUG)
                .log("the store cannot be reopened yet; retrying: {}", failed.getMessage());
        schedule(tries + 1, Math.min(MIN_RETRY_MILLIS * tries, MAX_RETRY_MILLIS));
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
        log.error("this process cannot reopen the store: {}", reason.getMessage());
        lost.complete(reason);
    }

    @Override
    protected Store delegate() {
        return current;
    }

    @Override
    public Store session() {
        return current;
    }

    /** Completes once the store is lost. */
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
        // A stuck store is being closed by a daemon thread that does not return; closing it again would hang as well.
        if (!(lost.isDone() && lost.join() instanceof StoreStuckException)) {
            worker.close();
            current.store.close();
        }
    }

    /**
     * One handle of the store, from its opening until it breaks. From then on every operation fails with
     * {@link Outcome#UNKNOWN}.
     */
    private static final class Session extends ForwardingStore {

        private final Store store;
        private final CompletableFuture<RuntimeException> broken = new CompletableFuture<>();

        private Session(Store store) {
            this.store = store;
        }

        @Override
        protected Store delegate() {
            return store;
        }

        @Override
        protected <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> operation) {
            RuntimeException reason = broken.getNow(null);
            return reason == null
                    ? operation.get()
                    : CompletableFuture.failedFuture(new StoreException(
                            Outcome.UNKNOWN, "the store is being reopened: " + reason.getMessage(), reason));
        }

        @Override
        public CompletableFuture<RuntimeException> broken() {
            return broken.copy();
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException("a session ends with its store");
        }
    }
}
