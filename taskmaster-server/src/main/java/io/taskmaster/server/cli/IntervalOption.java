package io.taskmaster.server.cli;

import java.time.Duration;
import picocli.CommandLine.Option;

/** How often a command looks that shows something as time goes by. */
final class IntervalOption {

    /** Nobody reads faster. */
    private static final Duration SHORTEST = Duration.ofMillis(100);

    @Option(
            names = "--interval",
            paramLabel = "DURATION",
            defaultValue = "2s",
            description = "How often to look, at most ten times a second (default: ${DEFAULT-VALUE}).")
    private Duration interval = SHORTEST;

    Duration interval() {
        return interval.compareTo(SHORTEST) < 0 ? SHORTEST : interval;
    }
}
