package io.taskmaster.cli.tasks;

import io.taskmaster.time.Clock;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Options for the not-before time of a task: a delay, by the clock of this machine, or an instant. */
final class DelayOptions {

    @ArgGroup
    private @Nullable Start start;

    Optional<Instant> notBefore(Clock clock) {
        return Optional.ofNullable(start).flatMap(given -> given.notBefore(clock));
    }

    /** Either {@code --delay} or {@code --not-before}. */
    static final class Start {

        @Option(
                names = "--delay",
                paramLabel = "DURATION",
                description = "Delay from now until the task becomes available.")
        private Optional<Duration> delay = Optional.empty();

        @Option(
                names = "--not-before",
                paramLabel = "TIME",
                description = "Time at which the task becomes available (RFC 3339, as 2026-11-21T09:30:00Z).")
        private Optional<Instant> notBefore = Optional.empty();

        Optional<Instant> notBefore(Clock clock) {
            return notBefore.or(
                    () -> delay.map(span -> Deadlines.after(Instant.ofEpochMilli(clock.wallMillis()), span)));
        }
    }
}
