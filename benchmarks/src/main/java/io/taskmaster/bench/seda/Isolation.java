package io.taskmaster.bench.seda;

import io.taskmaster.bench.load.Latencies;
import io.taskmaster.bench.report.TableStyle;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The time from an offer to an idle stage until its handler begins, while another stage, with as many workers as there
 * are threads, has a backlog of events that each hold a thread for a while. Its handlers sleep rather than compute, so
 * that the figures show the allocation of threads and not of processors.
 */
record Isolation() implements Experiment {

    private static final List<Duration> HOLDS =
            List.of(Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofMillis(10), Duration.ofMillis(30));
    private static final int THREADS = Runtime.getRuntime().availableProcessors();
    private static final int BACKLOG = 1 << 20;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    @Override
    public String run(Duration each) throws InterruptedException {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("a handler of the busy stage takes ms", "waits", "p50 ms", "p99 ms", "longest ms"));
        for (Duration hold : HOLDS) {
            Latencies waits = waits(hold, each);
            rows.add(List.of(
                    Text.millis(hold),
                    Text.count((double) waits.count()),
                    Text.millis(waits.percentile(50)),
                    Text.millis(waits.percentile(99)),
                    Text.millis(waits.percentile(100))));
        }
        return "### An idle stage beside a busy one\n\n" + TableStyle.MARKDOWN.table(rows) + "\n";
    }

    private static Latencies waits(Duration hold, Duration span) throws InterruptedException {
        SynchronousQueue<Long> handled = new SynchronousQueue<>();
        Latencies waits = new Latencies();
        AtomicBoolean stopped = new AtomicBoolean();
        LocalStages stages = LocalStages.start();
        try {
            LocalStage<Long> idle = stages.add(
                    "idle",
                    stage -> stage.handler(startNanos -> handled.put(System.nanoTime() - startNanos))
                            .boundary(1, boundary -> boundary));
            LocalStage<Integer> busy = stages.add(
                    "busy",
                    stage -> stage.handler(_ -> Thread.sleep(stopped.get() ? Duration.ZERO : hold))
                            .boundary(BACKLOG, boundary -> boundary.concurrency(THREADS)));
            for (int i = 0; i < BACKLOG; i++) {
                busy.offer(i);
            }
            long endNanos = System.nanoTime() + span.toNanos();
            while (System.nanoTime() - endNanos < 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
                idle.offer(System.nanoTime());
                waits.record(handled.take());
            }
        } finally {
            // The rest of the backlog must not delay the close.
            stopped.set(true);
            stages.close();
        }
        return waits;
    }
}
