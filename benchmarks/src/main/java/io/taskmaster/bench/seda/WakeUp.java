package io.taskmaster.bench.seda;

import io.taskmaster.bench.load.Latencies;
import io.taskmaster.bench.report.TableStyle;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStages;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * From an offer to an idle stage until its handler begins, beside a thread that is unparked: in turn, each after a pause in which all threads go to sleep.
 * Before that they are woken without pauses: a thousand wake-ups are too few for the compiler.
 */
record WakeUp() implements Experiment {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int CAPACITY = 100;

    /** Wakes somebody, by telling when it began to. */
    private record Sleeper(String name, Consumer<Long> wake, Latencies latencies) {}

    @Override
    public String run(Duration each) throws InterruptedException {
        SynchronousQueue<Long> awake = new SynchronousQueue<>();
        try (LocalStages stages = LocalStages.start();
                Parked parked = new Parked(awake)) {
            LocalStage<Long> shared = stages.add(
                    "shared",
                    stage -> stage.handler(beganNanos -> awake.put(System.nanoTime() - beganNanos))
                            .boundary(CAPACITY, boundary -> boundary));
            LocalStage<Long> virtual = stages.add(
                    "virtual",
                    stage -> stage.handler(beganNanos -> awake.put(System.nanoTime() - beganNanos))
                            .boundary(CAPACITY, boundary -> boundary.blocking()));
            List<Sleeper> sleepers = sleepers(parked, shared, virtual);
            wakeInTurn(sleepers, awake, each.dividedBy(2), 0);
            List<Sleeper> measured = sleepers(parked, shared, virtual);
            wakeInTurn(measured, awake, each, PAUSE_NANOS);
            return table(measured);
        }
    }

    private static List<Sleeper> sleepers(Parked parked, LocalStage<Long> shared, LocalStage<Long> virtual) {
        return List.of(
                new Sleeper("`LockSupport.unpark`", parked::wake, new Latencies()),
                new Sleeper("a stage on the shared pool", shared::offer, new Latencies()),
                new Sleeper("a stage of virtual threads", virtual::offer, new Latencies()));
    }

    private static void wakeInTurn(List<Sleeper> sleepers, SynchronousQueue<Long> awake, Duration span, long pauseNanos)
            throws InterruptedException {
        long endNanos = System.nanoTime() + span.toNanos();
        while (System.nanoTime() - endNanos < 0) {
            for (Sleeper sleeper : sleepers) {
                LockSupport.parkNanos(pauseNanos);
                sleeper.wake().accept(System.nanoTime());
                sleeper.latencies().record(awake.take());
            }
        }
    }

    private static String table(List<Sleeper> sleepers) {
        double bareNanos =
                (double) sleepers.getFirst().latencies().percentile(99).toNanos();
        return "### Waking up\n\n"
                + TableStyle.MARKDOWN.table(List.of(
                        List.of("woken", "p50 us", "p99 us", "p99 beside `unpark`", "times"),
                        row(sleepers.get(0), bareNanos),
                        row(sleepers.get(1), bareNanos),
                        row(sleepers.get(2), bareNanos)))
                + "\n";
    }

    private static List<String> row(Sleeper sleeper, double bareNanos) {
        Latencies latencies = sleeper.latencies();
        return List.of(
                sleeper.name(),
                micros(latencies.percentile(50)),
                micros(latencies.percentile(99)),
                String.format(
                        Locale.ROOT, "%.2f", (double) latencies.percentile(99).toNanos() / bareNanos),
                Text.count((double) latencies.count()));
    }

    private static String micros(Duration duration) {
        return String.format(Locale.ROOT, "%.0f", duration.toNanos() / 1e3);
    }

    /** A thread that parks until it is woken. */
    private static final class Parked implements AutoCloseable {

        private static final long NOT_WOKEN = 0;

        private final SynchronousQueue<Long> awake;
        private final Thread thread;
        private volatile long wokenNanos = NOT_WOKEN;
        private volatile boolean closed;

        Parked(SynchronousQueue<Long> awake) {
            this.awake = awake;
            this.thread = Thread.ofPlatform().name("parked").start(this::run);
        }

        void wake(long beganNanos) {
            wokenNanos = beganNanos;
            LockSupport.unpark(thread);
        }

        private void run() {
            try {
                while (!closed) {
                    if (wokenNanos == NOT_WOKEN) {
                        LockSupport.park(this);
                    } else {
                        long tookNanos = System.nanoTime() - wokenNanos;
                        wokenNanos = NOT_WOKEN;
                        awake.put(tookNanos);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            closed = true;
            thread.interrupt();
        }
    }
}
