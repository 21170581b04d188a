package io.taskmaster.harness.chaos;

import java.time.Duration;
import java.util.Locale;

/** A format of durations for humans. */
final class Spans {

    private Spans() {}

    static String text(Duration span) {
        return String.format(Locale.ROOT, "%.1f s", span.toMillis() / 1000.0);
    }
}
