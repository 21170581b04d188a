package io.taskmaster.bench.seda;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/** The work of a handler on one event. Thread-safe. */
@FunctionalInterface
interface Work {

    void on(Event event) throws InterruptedException;

    Work NONE = _ -> {};

    static Work blocking(Duration time) {
        return _ -> Thread.sleep(time);
    }

    /** Returns work that computes on a processor for this time, however many calls compute at once. */
    static Work computing(Duration time) {
        long rounds = Computing.roundsFor(time);
        return _ -> Computing.run(rounds);
    }

    /** Returns work that treats this share of the events in one way and the others in another. */
    static Work either(double share, Work one, Work other) {
        return event -> (event.chance() < share ? one : other).on(event);
    }

    /**
     * Returns work that calls a simulated downstream service. Its latency rises with the calls in flight: beyond the
     * given number, every call takes longer by the ratio to the power of 1.5.
     *
     * @param seconds the latency of a call at present while few are in flight
     * @param atOnce the number of calls in flight above which the latency rises
     */
    static Work calling(DoubleSupplier seconds, int atOnce) {
        AtomicInteger calls = new AtomicInteger();
        return _ -> {
            int now = calls.incrementAndGet();
            try {
                double slower = Math.max(1, Math.pow((double) now / atOnce, 1.5));
                Thread.sleep(Duration.ofNanos(Math.round(seconds.getAsDouble() * slower * 1e9)));
            } finally {
                calls.decrementAndGet();
            }
        };
    }
}
