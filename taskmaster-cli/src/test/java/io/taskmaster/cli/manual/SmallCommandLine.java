package io.taskmaster.cli.manual;

import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command line with every kind of part that the documents show. */
final class SmallCommandLine {

    private SmallCommandLine() {}

    static CommandSpec spec() {
        return new CommandLine(new Tool())
                .addSubcommand("copy", new Copy())
                .addSubcommand("box", new CommandLine(new Box()).addSubcommand("open", new Open()))
                .addSubcommand("inner", new Inner())
                .getCommandSpec();
    }

    enum Mode {
        FAST,
        SAFE
    }

    @Command(name = "tool", description = "A tool.")
    static final class Tool {}

    @Command(
            description = "Copies a file. It's done at once: 100%% of it.",
            footerHeading = "%nExamples:%n",
            footer = {
                "  tool copy a --to b",
                "  tool copy \"c d\"",
                "  tool copy 'e f' ~/g --mode=^h",
                "  printf '100%%%%%%n'"
            })
    static final class Copy {

        @Parameters(paramLabel = "FILE", description = "The file.")
        String file = "";

        @Option(
                names = {"-t", "--to"},
                paramLabel = "DIR",
                description = "The target.")
        Path to = Path.of("");

        @Option(names = "--mode", paramLabel = "MODE", description = "The way.")
        Mode mode = Mode.FAST;

        @Option(names = "--times", paramLabel = "N", description = "The number of copies.")
        int times = 1;

        @Option(names = "--quiet", description = "Doesn't print anything.")
        boolean quiet;

        @Option(names = "--secret", hidden = true)
        boolean secret;
    }

    @Command(description = ".box files")
    static final class Box {

        @Option(names = "--shelf", paramLabel = "N", description = "The shelf.")
        int shelf;
    }

    @Command(description = "Opens a box.")
    static final class Open {

        @Parameters(paramLabel = "MODE", description = "The way.")
        Mode mode = Mode.FAST;

        @Parameters(paramLabel = "NAME", description = "The name.")
        String name = "";
    }

    @Command(hidden = true)
    static final class Inner {}
}
