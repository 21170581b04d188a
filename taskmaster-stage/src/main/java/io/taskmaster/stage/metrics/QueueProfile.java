package io.taskmaster.stage.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.local.LocalStages;
import io.taskmaster.stage.local.LocalStatus;
import io.taskmaster.stage.worker.StageStatus;
import io.taskmaster.stage.worker.Worker;
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
 * has {@value #MOST_ROWS} rows at most: when these are full, every second one is given up, and rows come half as often from then on. Thread-safe.
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
     * @param waiting events, credits or tasks in line, by stage
     */
    public record Row(Duration at, Map<String, Long> waiting) {

        public Row {
            waiting = Map.copyOf(waiting);
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
     * @param queues how long they are now, by stage
     */
    QueueProfile(Supplier<CompletableFuture<Map<String, Long>>> queues, Duration interval, Timer timer) {
        if (interval.compareTo(LEAST_INTERVAL) < 0) {
            throw new IllegalArgumentException(
                    "interval: %s (expected: %s or more)".formatted(interval, LEAST_INTERVAL));
        }
        this.queues = queues;
        this.timer = timer;
        this.beganNanos = timer.nanoTime();
        this.intervalNanos = interval.toNanos();
    }

    /** Of local stages, those that are added later included: credits of the events that wait. */
    public static QueueProfile of(LocalStages stages, Duration interval) {
        QueueProfile profile = new QueueProfile(
                () -> CompletableFuture.completedFuture(
                        stages.status().stream().collect(Collectors.toMap(LocalStatus::stage, LocalStatus::waiting))),
                interval,
                Timer.SYSTEM);
        profile.next();
        return profile;
    }

    /** Of a worker: tasks that it has leased and that wait for a handler. */
    public static QueueProfile of(Worker worker, Duration interval) {
        QueueProfile profile = new QueueProfile(
                () -> worker.status()
                        .thenApply(stages -> stages.stream()
                                .collect(Collectors.toMap(StageStatus::stage, stage -> (long) stage.ready()))),
                interval,
                Timer.SYSTEM);
        profile.next();
        return profile;
    }

    /** Takes a row, and the next one an interval later. */
    void next() {
        if (!closed) {
            CompletableFuture<?> _ = queues.get().whenComplete((waiting, failed) -> {
                if (failed == null && !closed) {
                    add(waiting);
                }
                timer.schedule(this::next, interval());
            });
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

    private void add(Map<String, Long> waiting) {
        lock.lock();
        try {
            rows.add(new Row(Duration.ofNanos(timer.nanoTime() - beganNanos), waiting));
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

    /** The same as a table for a spreadsheet: seconds, and a column for each stage; empty where it was not there. */
    public String csv() {
        List<Row> seen = rows();
        TreeSet<String> stages = seen.stream()
                .flatMap(row -> row.waiting().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        StringBuilder text = new StringBuilder("seconds");
        stages.forEach(
                stage -> text.append(",\"").append(stage.replace("\"", "\"\"")).append('"'));
        for (Row row : seen) {
            text.append(String.format(Locale.ROOT, "\n%.3f", row.at().toNanos() / 1e9));
            for (String stage : stages) {
                Long waiting = row.waiting().get(stage);
                text.append(',').append(waiting == null ? "" : waiting);
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
