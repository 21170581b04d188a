package io.taskmaster.cli;

import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.VersionLine;
import io.taskmaster.cli.manual.BashCompletion;
import io.taskmaster.cli.manual.FishCompletion;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code taskmaster completion}: prints a completion script. */
@Command(
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class,
        description = "Prints a completion script for a shell.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  source <(taskmaster completion)",
            "  source <(taskmaster completion zsh)",
            "  taskmaster completion fish | source"
        })
final class CompletionCommand implements Callable<Integer> {

    /** The shells that have a script. */
    enum Shell {
        BASH,
        ZSH,
        FISH;

        /** Returns the name as it is used on command lines. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The script for bash runs in zsh, which lacks one of bash's commands. */
    private static final String WITHOUT_COMPOPT = "typeset -f compopt >/dev/null || compopt() { :; }\n";

    private final Terminal terminal;
    private final CommandLine root;

    @Parameters(arity = "0..1", paramLabel = "SHELL", description = "bash, zsh or fish (default: bash).")
    private Shell shell = Shell.BASH;

    CompletionCommand(Terminal terminal, CommandLine root) {
        this.terminal = terminal;
        this.root = root;
    }

    @Override
    public Integer call() {
        terminal.out()
                .print(
                        switch (shell) {
                            case BASH -> BashCompletion.of("taskmaster", root);
                            case ZSH -> WITHOUT_COMPOPT + BashCompletion.of("taskmaster", root);
                            case FISH -> FishCompletion.of(root.getCommandSpec());
                        });
        return 0;
    }
}
