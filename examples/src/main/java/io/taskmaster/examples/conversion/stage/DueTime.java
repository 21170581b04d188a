package io.taskmaster.examples.conversion.stage;

import io.taskmaster.model.Pid;
import java.time.Instant;

/** Times as PIDs: what is due first is leased first. They hold until the year 2286. */
final class DueTime {

    private DueTime() {}

    /** Of what is due then. Two documents may be due at the same time: so their names belong to it. */
    static Pid pid(Instant due, String document) {
        return Pid.of("%s/%s".formatted(millis(due.toEpochMilli()), document));
    }

    /** The PID that divides what is due by now from what is not. */
    static Pid upTo(Instant now) {
        return Pid.of(millis(now.toEpochMilli() + 1));
    }

    private static String millis(long epochMillis) {
        return "%013d".formatted(epochMillis);
    }
}
