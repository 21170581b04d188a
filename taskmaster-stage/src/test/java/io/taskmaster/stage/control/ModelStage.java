package io.taskmaster.stage.control;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;

/**
 * A queueing model of a stage: events arrive at random at a rate, wait in a finite line, and are served by some
 * workers, in batches. Time is simulated; controllers receive a sample every 100 ms. Single-threaded: owned by the
 * test.
 */
final class ModelStage {

    static final double SAMPLE_SECONDS = 0.1;

    /** A model of the time that a handler takes. */
    @FunctionalInterface
    interface Service {

        /**
         * @param atWork the number of workers at work, this one included
         * @param count the number of events of the batch
         * @param chance uniformly distributed from 0 to 1, another one for each batch
         */
        double seconds(double now, int atWork, int count, double chance);
    }

    private record Leaving(double at, double took, List<Double> arrivals) {}

    private final DoubleUnaryOperator arrivalsPerSecond;
    private final Service service;
    private final int capacity;
    private final SplittableRandom random;
    private final Deque<Double> line = new ArrayDeque<>();
    private final PriorityQueue<Leaving> leaving =
            new PriorityQueue<>((one, other) -> Double.compare(one.at(), other.at()));

    private Controller workers;
    private Controller batch;
    private double now;
    private long doneSinceSample;
    private double busySinceSample;
    private long turnedAwaySinceSample;

    /** The response times of all events that were done in the latest {@link #run}. */
    final List<Double> responseSeconds = new ArrayList<>();

    /** The settings after every sample of the latest {@link #run}. */
    final List<Integer> workersPerStep = new ArrayList<>();

    final List<Integer> batchPerStep = new ArrayList<>();

    ModelStage(
            DoubleUnaryOperator arrivalsPerSecond,
            Service service,
            int capacity,
            Controller workers,
            Controller batch,
            long seed) {
        this.arrivalsPerSecond = arrivalsPerSecond;
        this.service = service;
        this.capacity = capacity;
        this.workers = workers;
        this.batch = batch;
        this.random = new SplittableRandom(seed);
    }

    /** Returns a controller whose setting never changes. */
    static Controller fixed(int setting) {
        return new Controller() {
            @Override
            public int setting() {
                return setting;
            }

            @Override
            public Controller after(Sample sample) {
                return this;
            }
        };
    }

    /** Runs the model for some seconds. Returns the rate of events done, per second. */
    double run(double seconds) {
        responseSeconds.clear();
        workersPerStep.clear();
        batchPerStep.clear();
        double end = now + seconds;
        double nextArrival = now + pause();
        double nextSample = now + SAMPLE_SECONDS;
        while (now < end) {
            double nextLeaving =
                    leaving.isEmpty() ? Double.MAX_VALUE : leaving.peek().at();
            now = Math.min(nextSample, Math.min(nextArrival, nextLeaving));
            if (now == nextLeaving) {
                leave();
            } else if (now == nextArrival) {
                if (line.size() < capacity) {
                    line.add(now);
                } else {
                    turnedAwaySinceSample++;
                }
                nextArrival = now + pause();
            } else {
                sample();
                nextSample = now + SAMPLE_SECONDS;
            }
            serve();
        }
        return responseSeconds.size() / seconds;
    }

    /** Returns the time between two arrivals of a Poisson process. */
    private double pause() {
        return -Math.log(1 - random.nextDouble()) / arrivalsPerSecond.applyAsDouble(now);
    }

    private void serve() {
        while (leaving.size() < workers.setting() && !line.isEmpty()) {
            List<Double> handled = new ArrayList<>();
            while (handled.size() < batch.setting() && !line.isEmpty()) {
                handled.add(line.poll());
            }
            double took = service.seconds(now, leaving.size() + 1, handled.size(), random.nextDouble());
            leaving.add(new Leaving(now + took, took, handled));
        }
    }

    private void leave() {
        Leaving first = leaving.remove();
        first.arrivals().forEach(arrival -> responseSeconds.add(now - arrival));
        doneSinceSample += first.arrivals().size();
        busySinceSample += first.took();
    }

    private void sample() {
        Sample sample = new Sample(
                nanos(SAMPLE_SECONDS),
                doneSinceSample,
                nanos(busySinceSample),
                line.size(),
                turnedAwaySinceSample,
                leaving.size());
        doneSinceSample = 0;
        busySinceSample = 0;
        turnedAwaySinceSample = 0;
        workers = workers.after(sample);
        batch = batch.after(sample);
        workersPerStep.add(workers.setting());
        batchPerStep.add(batch.setting());
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
    }

    /** Returns a percentile of the response times. */
    double responseSeconds(int percent) {
        List<Double> sorted = responseSeconds.stream().sorted().toList();
        return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
    }
}
