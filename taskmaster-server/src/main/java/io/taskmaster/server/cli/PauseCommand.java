package io.taskmaster.server.cli;

import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code taskmaster pause}. */
@Command(description = "Pauses a queue: nothing is leased from it, enqueues go on. Its cap stays as it is.")
final class PauseCommand extends OptionsCommand {

    PauseCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    Optional<Boolean> paused() {
        return Optional.of(true);
    }
}
