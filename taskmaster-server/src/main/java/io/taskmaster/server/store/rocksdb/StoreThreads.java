package io.taskmaster.server.store.rocksdb;

import io.taskmaster.proxy.heap.OutOfMemory;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.rocksdb.PerfLevel;
import org.rocksdb.RocksDBException;

/**
 * The threads of a store: one writes, one flushes, one completes the futures of both, a few read, and one does the
 * upkeep. Thread-safe.
 */
final class StoreThreads {

    private final ExecutorService writer;
    private final ExecutorService flusher;
    private final ExecutorService replies;
    private final ExecutorService readers;
    private final ScheduledExecutorService timer;
    private final RocksDbFailures rocksDbFailures;

    /** A read operation on RocksDB. */
    interface Read<T> {
        T run() throws RocksDBException;
    }

    StoreThreads(RocksDbSettings settings, Database database) {
        rocksDbFailures = database.rocksDbFailures();
        writer = pool("taskmaster-store-write", 1, 1, () -> {});
        flusher = pool("taskmaster-store-flush", 1, Integer.MAX_VALUE, () -> {});
        replies = pool("taskmaster-store-reply", 1, Integer.MAX_VALUE, () -> {});
        timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("taskmaster-store-upkeep").daemon().factory());
        // RocksDB's counters are per thread; they cost an addition per key.
        Runnable countKeys = () -> database.db().setPerfLevel(PerfLevel.ENABLE_COUNT);
        readers = pool("taskmaster-store-read", settings.readThreads(), settings.waitingReads(), countKeys);
    }

    private static ExecutorService pool(String name, int threads, int waiting, Runnable begin) {
        BlockingQueue<Runnable> queue =
                waiting == Integer.MAX_VALUE ? new LinkedBlockingQueue<>() : new ArrayBlockingQueue<>(waiting);
        return new ThreadPoolExecutor(threads, threads, 0, TimeUnit.SECONDS, queue, work -> {
            Thread thread = new Thread(() -> {
                begin.run();
                work.run();
            });
            thread.setName(name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** The executor on which the futures of writes complete, in the order of the writes. */
    Executor replies() {
        return replies;
    }

    /** The executor on which flushes block. */
    Executor flusher() {
        return flusher;
    }

    void startWriter(Runnable loop) {
        writer.execute(loop);
    }

    /** Starts the periodic upkeep, every {@link Maintenance#PERIOD_MILLIS}. */
    void startMaintenance(Runnable maintenance) {
        var _ = timer.scheduleWithFixedDelay(
                maintenance, Maintenance.PERIOD_MILLIS, Maintenance.PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Runs a read on one of the reader threads. Refused if too many wait, or after {@link #stop}. */
    <T> CompletableFuture<T> read(Read<T> read) {
        CompletableFuture<T> future = new CompletableFuture<>();
        try {
            readers.execute(() -> complete(future, read));
        } catch (RejectedExecutionException refused) {
            String reason = readers.isShutdown() ? "store: closed" : "store: too many reads waiting";
            future.completeExceptionally(new StoreException(Outcome.REFUSED, reason, refused));
        }
        return future;
    }

    private <T> void complete(CompletableFuture<T> future, Read<T> read) {
        T result;
        try {
            result = read.run();
        } catch (RocksDBException | RuntimeException | OutOfMemoryError failure) {
            OutOfMemory.notice(failure);
            future.completeExceptionally(rocksDbFailures.ofReading("read", failure));
            return;
        }
        future.complete(result);
    }

    /** Runs everything that was submitted to its end: first the operations, then the replies. Blocks. */
    void stop() {
        for (ExecutorService pool : new ExecutorService[] {timer, writer, flusher, readers, replies}) {
            pool.close();
        }
    }
}
