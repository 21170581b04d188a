package io.taskmaster.cli.queues;

import io.taskmaster.cli.common.Terminal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code taskmaster configure}: sets lasting options of a queue. */
@Command(
        description = {
            "Sets lasting options of a queue; what is not given stays as it is.",
            "Prints OK, the queue, paused or running, the cap (0: none), and the weight if it was given, parted by tabs."
        })
public final class ConfigureCommand extends OptionsCommand {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @ArgGroup
    private @Nullable State state;

    public ConfigureCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    Optional<Boolean> paused() {
        return Optional.ofNullable(state).map(given -> given.paused || !given.resumed);
    }

    @Override
    void check() {
        if (paused().isEmpty() && !setsNumber()) {
            throw new ParameterException(
                    spec.commandLine(), "nothing to set (expected: --max-leased, --weight, --paused or --resumed)");
        }
    }

    /** Either {@code --paused} or {@code --resumed}. */
    static final class State {

        @Option(names = "--paused", description = "Leases nothing; enqueues go on.")
        private boolean paused;

        @Option(names = "--resumed", description = "Not paused.")
        private boolean resumed;
    }
}
