package io.taskmaster.server.process;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The times of an event, as its originator saw them. Thread-safe. */
final class OwnCount {

    private static final double WINDOW_SECONDS = 60;

    private final List<Instant> times = new ArrayList<>();

    synchronized void add() {
        times.add(Instant.now());
    }

    synchronized long total() {
        return times.size();
    }

    /** Returns the number of events between two instants, excluding the first. */
    synchronized long between(Instant after, Instant until) {
        return times.stream()
                .filter(time -> time.isAfter(after) && !time.isAfter(until))
                .count();
    }

    /** Returns the rate per second over about a minute: each event weighs e^(-age/minute). */
    synchronized double ratePerSecond(Instant now) {
        return times.stream()
                        .mapToDouble(time -> Math.exp(-seconds(Duration.between(time, now)) / WINDOW_SECONDS))
                        .sum()
                / WINDOW_SECONDS;
    }

    static double seconds(Duration span) {
        return span.toNanos() / 1e9;
    }
}
