package io.taskmaster.cli.common;

import java.time.Duration;
import picocli.CommandLine.Option;

/** The option {@code --interval} of commands that refresh their output. */
public final class IntervalOption {

    /** The minimum: no reader follows a faster display. */
    private static final Duration MIN_INTERVAL = Duration.ofMillis(100);

    @Option(
            names = "--interval",
            paramLabel = "DURATION",
            defaultValue = "2s",
            description = "Interval between updates, at least 100ms (default: ${DEFAULT-VALUE}).")
    private Duration interval = MIN_INTERVAL;

    public Duration interval() {
        return interval.compareTo(MIN_INTERVAL) < 0 ? MIN_INTERVAL : interval;
    }
}
