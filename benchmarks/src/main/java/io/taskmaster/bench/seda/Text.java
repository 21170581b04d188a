package io.taskmaster.bench.seda;

import java.time.Duration;
import java.util.Locale;

/** Figures in the notation of the documents. */
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

    /** Formats how far a ratio is above or below one. */
    static String change(double ratio) {
        return String.format(Locale.ROOT, "%+.1f %%", (ratio - 1) * 100);
    }
}
