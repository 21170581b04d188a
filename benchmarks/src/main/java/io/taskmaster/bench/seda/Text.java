package io.taskmaster.bench.seda;

import java.time.Duration;
import java.util.Locale;

/** Figures as the documents write them. */
final class Text {

    private Text() {}

    static String count(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    static String millis(Duration duration) {
        return tenths(duration.toNanos() / 1e6);
    }

    static String tenths(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }

    /** Of a ratio, how much it is above or below one. */
    static String change(double ratio) {
        return String.format(Locale.ROOT, "%+.1f %%", (ratio - 1) * 100);
    }
}
