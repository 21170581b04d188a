package io.taskmaster.bench.seda;

import java.time.Duration;

/** Work for a processor, calibrated once on this machine. Thread-safe. */
final class Computing {

    private static final int TRIES = 5;
    private static final long ROUNDS = 2_000_000;

    /** A result that is never used; the compiler cannot prove that, so it must compute it. */
    private static volatile long sink;

    private static final double NANOS_PER_ROUND = measure();

    private Computing() {}

    private static double measure() {
        double best = Double.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            long startNanos = System.nanoTime();
            run(ROUNDS);
            best = Math.min(best, (double) (System.nanoTime() - startNanos) / ROUNDS);
        }
        return best;
    }

    static long roundsFor(Duration time) {
        return Math.round(time.toNanos() / NANOS_PER_ROUND);
    }

    static void run(long rounds) {
        long value = sink;
        for (long i = 0; i < rounds; i++) {
            value = value * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
        }
        sink = value;
    }
}
