package io.taskmaster.server.cli;

import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code taskmaster resume}. */
@Command(description = "Ends the pause of a queue. Its cap stays as it is.")
final class ResumeCommand extends OptionsCommand {

    ResumeCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    Optional<Boolean> paused() {
        return Optional.of(false);
    }
}
