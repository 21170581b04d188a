package io.taskmaster.cli.queues;

import io.taskmaster.cli.common.Terminal;
import java.util.Optional;
import picocli.CommandLine.Command;

/** A command that only pauses or resumes a queue: {@code taskmaster pause} and {@code taskmaster resume}. */
public abstract sealed class PauseSwitch extends OptionsCommand {

    private final boolean paused;

    private PauseSwitch(Terminal terminal, boolean paused) {
        super(terminal);
        this.paused = paused;
    }

    @Override
    final Optional<Boolean> paused() {
        return Optional.of(paused);
    }

    @Command(
            description = {"Pauses a queue: nothing is leased from it, enqueues go on.", LOST_UPDATE},
            footer = "  taskmaster pause crawl")
    public static final class Pause extends PauseSwitch {

        public Pause(Terminal terminal) {
            super(terminal, true);
        }
    }

    @Command(
            description = {"Resumes a paused queue.", LOST_UPDATE},
            footer = "  taskmaster resume crawl")
    public static final class Resume extends PauseSwitch {

        public Resume(Terminal terminal) {
            super(terminal, false);
        }
    }
}
