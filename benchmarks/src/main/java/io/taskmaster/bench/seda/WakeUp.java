package io.taskmaster.bench.seda;

import io.taskmaster.bench.load.Latencies;
import io.taskmaster.bench.report.TableStyle;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Random;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The time from an offer to an idle stage until its handler begins, compared with the time to unpark a thread. Both are
 * measured in changing order, each after a pause in which all threads go to sleep. The warm-up uses pauses just long
 * enough for that: a few thousand wake-ups are too few for the compiler, and without a pause it would optimize another
 * path. The slowest percent is mostly due to the machine, and differs between rounds by more than the candidates do, so
 * only all rounds together are meaningful.
 */
record WakeUp() implements Experiment {

    private static final int ROUNDS = 10;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long WARM_UP_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final Duration WARM_UP = Duration.ofSeconds(15);
    private static final int CAPACITY = 100;
    private static final long SEED = 1;

    /**
     * A stage or thread to be woken. Immutable.
     *
     * @param wake wakes it, and passes the instant at which that began
     */
    private record Sleeper(String name, Consumer<Long> wake) {}

    /** The wake-up times of one sleeper: over all rounds, and the 99th percentile of each. */
    private record Measured(String name, Latencies all, List<Double> p99s) {

        Measured(Sleeper sleeper) {
            this(sleeper.name(), new Latencies(), new ArrayList<>());
        }

        void add(Latencies round) {
            all.add(round);
            p99s.add((double) round.percentile(99).toNanos());
        }

        double p99() {
            return all.percentile(99).toNanos();
        }
    }

    @Override
    public String run(Duration each) throws InterruptedException {
        SynchronousQueue<Long> awake = new SynchronousQueue<>();
        try (LocalStages stages = LocalStages.start();
                Parked parked = new Parked(awake)) {
            LocalStage<Long> shared = stages.add(
                    "shared",
                    stage -> stage.handler(startNanos -> awake.put(System.nanoTime() - startNanos))
                            .boundary(CAPACITY, boundary -> boundary));
            LocalStage<Long> virtual = stages.add(
                    "virtual",
                    stage -> stage.handler(startNanos -> awake.put(System.nanoTime() - startNanos))
                            .boundary(CAPACITY, boundary -> boundary.blocking()));
            List<Sleeper> sleepers = List.of(
                    new Sleeper("`LockSupport.unpark`", parked::wake),
                    new Sleeper("a stage on the shared pool", shared::offer),
                    new Sleeper("a stage of virtual threads", virtual::offer));
            return table(measure(new Alarm(sleepers, awake), each));
        }
    }

    private static List<Measured> measure(Alarm alarm, Duration each) throws InterruptedException {
        Map<Sleeper, Latencies> _ = alarm.round(WARM_UP, WARM_UP_PAUSE_NANOS);
        Map<Sleeper, Measured> measured = new LinkedHashMap<>();
        for (int i = 0; i < ROUNDS; i++) {
            alarm.round(each, PAUSE_NANOS)
                    .forEach((sleeper, latencies) ->
                            measured.computeIfAbsent(sleeper, Measured::new).add(latencies));
        }
        return List.copyOf(measured.values());
    }

    /** A loop that wakes sleepers in an order that changes every time. Single-threaded: owned by the experiment. */
    private static final class Alarm {

        private final List<Sleeper> sleepers;
        private final SynchronousQueue<Long> awake;
        private final Random random = new Random(SEED);

        Alarm(List<Sleeper> sleepers, SynchronousQueue<Long> awake) {
            this.sleepers = sleepers;
            this.awake = awake;
        }

        Map<Sleeper, Latencies> round(Duration span, long pauseNanos) throws InterruptedException {
            Map<Sleeper, Latencies> latencies = new LinkedHashMap<>();
            sleepers.forEach(sleeper -> latencies.put(sleeper, new Latencies()));
            List<Entry<Sleeper, Latencies>> order = new ArrayList<>(latencies.entrySet());
            long endNanos = System.nanoTime() + span.toNanos();
            while (System.nanoTime() - endNanos < 0) {
                Collections.shuffle(order, random);
                for (Entry<Sleeper, Latencies> next : order) {
                    LockSupport.parkNanos(pauseNanos);
                    next.getKey().wake().accept(System.nanoTime());
                    next.getValue().record(awake.take());
                }
            }
            return latencies;
        }
    }

    private static String table(List<Measured> sleepers) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("woken", "p50 us", "p99 us", "p99 beside `unpark`", "in single rounds", "times"));
        Measured bare = sleepers.getFirst();
        sleepers.forEach(sleeper -> rows.add(row(sleeper, bare)));
        return "### Waking up\n\n" + TableStyle.MARKDOWN.table(rows) + "\n";
    }

    private static List<String> row(Measured sleeper, Measured bare) {
        DoubleSummaryStatistics rounds = IntStream.range(0, ROUNDS)
                .mapToDouble(round -> sleeper.p99s().get(round) / bare.p99s().get(round))
                .summaryStatistics();
        return List.of(
                sleeper.name(),
                micros(sleeper.all().percentile(50)),
                micros(sleeper.all().percentile(99)),
                hundredths(sleeper.p99() / bare.p99()),
                hundredths(rounds.getMin()) + " to " + hundredths(rounds.getMax()),
                Text.count((double) sleeper.all().count()));
    }

    private static String hundredths(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
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

        void wake(long startNanos) {
            wokenNanos = startNanos;
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
