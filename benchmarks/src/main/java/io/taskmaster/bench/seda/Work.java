package io.taskmaster.bench.seda;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/** What a handler does with an event. Thread-safe. */
@FunctionalInterface
interface Work {

    void on(Event event) throws InterruptedException;

    Work NOTHING = _ -> {};

    static Work blocking(Duration time) {
        return _ -> Thread.sleep(time);
    }

    /** Takes so much of a processor, however many do that at once. */
    static Work computing(Duration time) {
        long rounds = Computing.roundsFor(time);
        return _ -> Computing.run(rounds);
    }

    /** One for this share of the events, another for the others. */
    static Work either(double share, Work one, Work other) {
        return event -> (event.chance() < share ? one : other).on(event);
    }

    /**
     * A call of somebody who answers after a while, and later the more calls there are at once: beyond so many, all take longer by the power of 1.5.
     *
     * @param seconds how long a call takes at present while there are few
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
