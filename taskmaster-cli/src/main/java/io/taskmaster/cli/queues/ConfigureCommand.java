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

/** The command {@code taskmaster configure}: sets persistent options of a queue. */
@Command(
        description = {
            "Sets persistent options of a queue; options that are not given stay unchanged.",
            "Prints OK, the queue, paused or running, the cap (0: none), and the weight if it was given, separated by"
                    + " tabs.",
            OptionsCommand.LOST_UPDATE
        },
        footer = {
            "  taskmaster configure crawl --max-leased 10",
            "  taskmaster configure mail/premium --weight 3",
            "  taskmaster configure crawl --paused --max-leased 0"
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

        @Option(names = "--paused", description = "Pause the queue: nothing is leased from it, enqueues go on.")
        private boolean paused;

        @Option(names = "--resumed", description = "Resume the queue.")
        private boolean resumed;
    }
}
