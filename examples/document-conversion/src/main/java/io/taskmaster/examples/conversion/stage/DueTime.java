package io.taskmaster.examples.conversion.stage;

import io.taskmaster.model.Pid;
import java.time.Instant;

/** The encoding of due times as PIDs: the first one that is due is leased first. Valid until the year 2286. */
final class DueTime {

    private DueTime() {}

    /**
     * Returns the PID of a document that is due at a time. It includes the name, since two documents may be due at the
     * same time.
     */
    static Pid pid(Instant due, String document) {
        return Pid.of("%s/%s".formatted(millis(due.toEpochMilli()), document));
    }

    /** Returns the PID that separates what is due by now from what is not. */
    static Pid upTo(Instant now) {
        return Pid.of(millis(now.toEpochMilli() + 1));
    }

    private static String millis(long epochMillis) {
        return "%013d".formatted(epochMillis);
    }
}
