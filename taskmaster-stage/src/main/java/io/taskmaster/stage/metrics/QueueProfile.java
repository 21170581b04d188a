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
 * A profile of the lengths of queues over time, from its creation until it is closed (SEDA, "Profiler"). It shows where
 * a pipeline was stuck, and when. It has at most {@value #MOST_ROWS} rows: when they are full, every second one is
 * dropped, and the interval doubles. If the lengths are not known within an interval, the row is missing. At most one
 * request is in flight. Thread-safe.
 */
public final class QueueProfile implements AutoCloseable {

    /** The maximum number of rows. */
    public static final int MOST_ROWS = 4_096;

    /** The minimum interval between two rows. */
    public static final Duration LEAST_INTERVAL = Duration.ofMillis(1);

    /**
     * The lengths of the queues at one instant. Immutable.
     *
     * @param at the time since the beginning of the profile
     * @param lengths events, credits or tasks, by stage; of a pipeline, by stage and state
     */
    public record Row(Duration at, Map<String, Long> lengths) {

        public Row {
            lengths = Map.copyOf(lengths);
        }
    }

    private final Supplier<CompletableFuture<Map<String, Long>>> queues;
    private final Timer timer;
    private final long startNanos;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private List<Row> rows = new ArrayList<>();

    @GuardedBy("lock")
    private long intervalNanos;

    private volatile boolean closed;

    /**
     * Creates a profile, which {@link #next} starts.
     *
     * @param queues requests the present lengths
     */
    QueueProfile(Supplier<CompletableFuture<Map<String, Long>>> queues, Duration interval, Timer timer) {
        if (interval.compareTo(LEAST_INTERVAL) < 0) {
            throw new IllegalArgumentException(
                    "interval: %s (expected: %s or more)".formatted(interval, LEAST_INTERVAL));
        }
        this.queues = queues;
        this.timer = timer;
        this.startNanos = timer.nanoTime();
        this.intervalNanos = Deadlines.nanos(interval);
    }

    /**
     * Profiles local stages, including those that are added later: credits of the events that wait.
     *
     * @param interval the time between rows, at least {@link #LEAST_INTERVAL}
     */
    public static QueueProfile of(LocalStages stages, Duration interval) {
        return started(
                () -> CompletableFuture.completedFuture(
                        stages.status().stream().collect(Collectors.toMap(LocalStatus::stage, LocalStatus::waiting))),
                interval);
    }

    /**
     * Profiles a worker: tasks that it has leased and that wait for a handler. Without
     * {@linkplain io.taskmaster.stage.StageBuilder#prefetch prefetch} there are none; all others wait
     * {@linkplain #of(Pipeline, TaskMasterClient, Duration) at the server}.
     *
     * @param interval the time between rows, at least {@link #LEAST_INTERVAL}
     */
    public static QueueProfile of(Worker worker, Duration interval) {
        return started(
                () -> worker.status()
                        .thenApply(stages -> stages.stream()
                                .collect(Collectors.toMap(StageStatus::stage, stage -> (long) stage.ready()))),
                interval);
    }

    /**
     * Profiles the durable queues of a pipeline's stages, whichever workers run them: tasks that are {@code available},
     * {@code leased} and {@code delayed}, in columns such as {@code fetch available}. All members of a family, and all
     * groups, are summed up. Each row costs one call to the server for each stage.
     *
     * @param client stays open; the caller closes it after this profile
     * @param interval the time between rows, at least {@link #LEAST_INTERVAL}
     */
    public static QueueProfile of(Pipeline pipeline, TaskMasterClient client, Duration interval) {
        return started(new QueuesAtServer(pipeline, client::describe)::lengths, interval);
    }

    private static QueueProfile started(Supplier<CompletableFuture<Map<String, Long>>> queues, Duration interval) {
        QueueProfile profile = new QueueProfile(queues, interval, Timer.SYSTEM);
        profile.next();
        return profile;
    }

    /** Takes a row and schedules the next one, an interval later, or a multiple of it if the reply takes longer. */
    void next() {
        if (closed) {
            return;
        }
        long requestNanos = timer.nanoTime();
        long maxNanos = interval();
        var unused = lengths().whenComplete((lengths, failed) -> {
            long tookNanos = timer.nanoTime() - requestNanos;
            // The lengths of a late reply cannot be attributed to a moment.
            if (failed == null && !closed && tookNanos <= maxNanos) {
                add(new Row(Duration.ofNanos(requestNanos - startNanos), lengths));
            }
            long everyNanos = interval();
            // Rows stay on the grid of the interval, however long the reply took.
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

    /** Returns the rows so far. */
    public List<Row> rows() {
        lock.lock();
        try {
            return List.copyOf(rows);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the rows as CSV: seconds, and a column for each length; empty where it is not known. */
    public String csv() {
        List<Row> recorded = rows();
        TreeSet<String> columns = recorded.stream()
                .flatMap(row -> row.lengths().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        StringBuilder text = new StringBuilder("seconds");
        columns.forEach(column ->
                text.append(",\"").append(column.replace("\"", "\"\"")).append('"'));
        for (Row row : recorded) {
            text.append(String.format(Locale.ROOT, "\n%.3f", row.at().toNanos() / 1e9));
            for (String column : columns) {
                Long length = row.lengths().get(column);
                text.append(',').append(length == null ? "" : length);
            }
        }
        return text.append('\n').toString();
    }

    /** Ends the profile; its rows can still be read. Idempotent. */
    @Override
    public void close() {
        closed = true;
    }
}
