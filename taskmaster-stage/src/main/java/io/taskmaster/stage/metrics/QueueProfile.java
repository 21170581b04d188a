package io.taskmaster.stage.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.local.LocalStages;
import io.taskmaster.stage.local.LocalStatus;
import io.taskmaster.stage.worker.StageStatus;
import io.taskmaster.stage.worker.Worker;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How long the queues of some stages were over time, from the beginning until it is closed (SEDA, "Profiler"): where a pipeline was stuck, and when. It
 * has {@value #MOST_ROWS} rows at most: when these are full, every second one is given up, and rows come half as often from then on. Where the lengths could not be had, or not within
 * an interval, there is a gap; nobody is asked again before he has answered. Thread-safe.
 */
public final class QueueProfile implements AutoCloseable {

    /** Rows that are kept. */
    public static final int MOST_ROWS = 4_096;

    /** The shortest time between two rows. */
    public static final Duration LEAST_INTERVAL = Duration.ofMillis(1);

    /**
     * The queues at one instant. Immutable.
     *
     * @param at since the beginning
     * @param lengths events, credits or tasks, by stage; of a pipeline, by stage and state
     */
    public record Row(Duration at, Map<String, Long> lengths) {

        public Row {
            lengths = Map.copyOf(lengths);
        }
    }

    private final Supplier<CompletableFuture<Map<String, Long>>> queues;
    private final Timer timer;
    private final long beganNanos;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private List<Row> rows = new ArrayList<>();

    @GuardedBy("lock")
    private long intervalNanos;

    private volatile boolean closed;

    /**
     * @param queues how long they are now
     */
    QueueProfile(Supplier<CompletableFuture<Map<String, Long>>> queues, Duration interval, Timer timer) {
        if (interval.compareTo(LEAST_INTERVAL) < 0) {
            throw new IllegalArgumentException(
                    "interval: %s (expected: %s or more)".formatted(interval, LEAST_INTERVAL));
        }
        this.queues = queues;
        this.timer = timer;
        this.beganNanos = timer.nanoTime();
        this.intervalNanos = Deadlines.nanos(interval);
    }

    /** Of local stages, those that are added later included: credits of the events that wait. */
    public static QueueProfile of(LocalStages stages, Duration interval) {
        return begun(
                () -> CompletableFuture.completedFuture(
                        stages.status().stream().collect(Collectors.toMap(LocalStatus::stage, LocalStatus::waiting))),
                interval);
    }

    /**
     * Of a worker: tasks that it has leased and that wait for a handler. Without {@linkplain io.taskmaster.stage.StageBuilder#prefetch prefetch} there are none; the others wait
     * {@linkplain #of(Pipeline, TaskMasterClient, Duration) at the server}.
     */
    public static QueueProfile of(Worker worker, Duration interval) {
        return begun(
                () -> worker.status()
                        .thenApply(stages -> stages.stream()
                                .collect(Collectors.toMap(StageStatus::stage, stage -> (long) stage.ready()))),
                interval);
    }

    /**
     * Of the durable queues that the stages of a pipeline work on, whoever does it: tasks that are {@code available}, {@code leased} and {@code delayed}, such as
     * {@code fetch available}; those of all members of a family, and of all groups, together. Each row is a call to the server for each stage.
     *
     * @param client is the caller's to close, after this profile
     */
    public static QueueProfile of(Pipeline pipeline, TaskMasterClient client, Duration interval) {
        return begun(new QueuesAtServer(pipeline, client::describe)::lengths, interval);
    }

    private static QueueProfile begun(Supplier<CompletableFuture<Map<String, Long>>> queues, Duration interval) {
        QueueProfile profile = new QueueProfile(queues, interval, Timer.SYSTEM);
        profile.next();
        return profile;
    }

    /** Takes a row, and the next one an interval later, or some if it takes longer. */
    void next() {
        if (closed) {
            return;
        }
        long askedNanos = timer.nanoTime();
        long mostNanos = interval();
        CompletableFuture<?> _ = lengths().whenComplete((lengths, failed) -> {
            long tookNanos = timer.nanoTime() - askedNanos;
            // Of a late answer nobody knows of which moment it speaks.
            if (failed == null && !closed && tookNanos <= mostNanos) {
                add(new Row(Duration.ofNanos(askedNanos - beganNanos), lengths));
            }
            long everyNanos = interval();
            timer.schedule(this::next, everyNanos - tookNanos % everyNanos);
        });
    }

    private CompletableFuture<Map<String, Long>> lengths() {
        try {
            return queues.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private long interval() {
        lock.lock();
        try {
            return intervalNanos;
        } finally {
            lock.unlock();
        }
    }

    private void add(Row row) {
        lock.lock();
        try {
            rows.add(row);
            if (rows.size() == MOST_ROWS) {
                List<Row> all = rows;
                rows = IntStream.range(0, MOST_ROWS / 2)
                        .mapToObj(i -> all.get(2 * i))
                        .collect(Collectors.toCollection(ArrayList::new));
                intervalNanos *= 2;
            }
        } finally {
            lock.unlock();
        }
    }

    /** What was seen so far. */
    public List<Row> rows() {
        lock.lock();
        try {
            return List.copyOf(rows);
        } finally {
            lock.unlock();
        }
    }

    /** The same as a table for a spreadsheet: seconds, and a column for each length; empty where there was none. */
    public String csv() {
        List<Row> seen = rows();
        TreeSet<String> columns = seen.stream()
                .flatMap(row -> row.lengths().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        StringBuilder text = new StringBuilder("seconds");
        columns.forEach(column ->
                text.append(",\"").append(column.replace("\"", "\"\"")).append('"'));
        for (Row row : seen) {
            text.append(String.format(Locale.ROOT, "\n%.3f", row.at().toNanos() / 1e9));
            for (String column : columns) {
                Long length = row.lengths().get(column);
                text.append(',').append(length == null ? "" : length);
            }
        }
        return text.append('\n').toString();
    }

    /** Takes no more rows; what was seen can still be had. Idempotent. */
    @Override
    public void close() {
        closed = true;
    }
}
