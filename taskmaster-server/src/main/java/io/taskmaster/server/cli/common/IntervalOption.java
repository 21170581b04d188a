package io.taskmaster.server.cli.common;

import java.time.Duration;
import picocli.CommandLine.Option;

/** The option {@code --interval} of commands that refresh their output. */
public final class IntervalOption {

    /** The minimum: no reader follows a faster display. */
    private static final Duration SHORTEST = Duration.ofMillis(100);

    @Option(
            names = "--interval",
            paramLabel = "DURATION",
            defaultValue = "2s",
            description = "How often to look, at most ten times a second (default: ${DEFAULT-VALUE}).")
    private Duration interval = SHORTEST;

    public Duration interval() {
        return interval.compareTo(SHORTEST) < 0 ? SHORTEST : interval;
    }
}
