package io.taskmaster.examples;

import io.taskmaster.examples.demo.DemoProvider;
import io.taskmaster.examples.demo.process.DemoServerCommand;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The command {@code taskmaster demo}: the default demo, with the others as its subcommands, sorted by name. Without a
 * default demo it only has subcommands. Stateless.
 */
final class Demos {

    private Demos() {}

    /** Returns a new command line with all demos on the class path. */
    static CommandLine commandLine() {
        return commandLine(ServiceLoader.load(DemoProvider.class));
    }

    /** Returns a new command line with these demos. */
    static CommandLine commandLine(Iterable<DemoProvider> demos) {
        List<DemoProvider> sorted = StreamSupport.stream(demos.spliterator(), false)
                .sorted(Comparator.comparing(DemoProvider::name))
                .toList();
        CommandLine root = new CommandLine(root(sorted)).addSubcommand("server", new DemoServerCommand());
        for (DemoProvider demo : sorted) {
            if (!demo.isDefault()) {
                root.addSubcommand(demo.name(), demo.command(DemoMain.class));
            }
        }
        return root.setCaseInsensitiveEnumValuesAllowed(true);
    }

    private static Object root(List<DemoProvider> demos) {
        List<DemoProvider> defaults =
                demos.stream().filter(DemoProvider::isDefault).toList();
        return switch (defaults.size()) {
            case 0 -> new Root();
            case 1 -> defaults.getFirst().command(DemoMain.class);
            default ->
                throw new IllegalStateException("default demos: %s (expected: at most one)"
                        .formatted(defaults.stream().map(DemoProvider::name).toList()));
        };
    }

    /** The root command where no demo is the default. It cannot be run: without a word picocli prints its usage. */
    @Command(
            name = "demo",
            mixinStandardHelpOptions = true,
            description = "Runs a demo.",
            synopsisSubcommandLabel = "COMMAND")
    static final class Root {}
}
