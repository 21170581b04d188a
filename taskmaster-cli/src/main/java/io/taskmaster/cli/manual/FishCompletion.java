package io.taskmaster.cli.manual;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Range;

/**
 * A completion script for fish, rendered from the model of the commands: subcommands, options with their descriptions,
 * and values of options and arguments where they are files or one of a few words. Its lines apply under a condition
 * that {@link FishCondition} has. Single-threaded: owned by {@link #of}.
 */
public final class FishCompletion {

    private static final Set<String> FILE_LABELS = Set.of("FILE", "DIR");

    private final String tool;
    private final FishCondition condition;
    private final List<String> lines = new ArrayList<>();

    private FishCompletion(CommandSpec root) {
        this.tool = root.name();
        this.condition = FishCondition.of(root);
    }

    /** Returns the script for a command and its subcommands. */
    public static String of(CommandSpec root) {
        var script = new FishCompletion(root);
        script.lines.add("# Completion of %s for fish.".formatted(root.name()));
        script.lines.addAll(script.condition.function());
        // Files are offered only where a command takes them.
        script.lines.add("complete -c %s -f".formatted(root.name()));
        script.add(root, List.of());
        return String.join("\n", script.lines) + "\n";
    }

    /** Adds the lines of a command, which apply after the names on its path. */
    private void add(CommandSpec command, List<String> path) {
        List<CommandSpec> subcommands = HelpText.subcommands(command);
        for (CommandSpec subcommand : subcommands) {
            rule(condition.at(path, 0, 0), " -a " + subcommand.name() + description(HelpText.summary(subcommand)));
        }
        for (OptionSpec option : HelpText.options(command)) {
            rule(condition.at(path), names(option) + values(option) + description(HelpText.of(option)));
        }
        for (PositionalParamSpec argument : command.positionalParameters()) {
            Range index = argument.index();
            if (isFile(argument)) {
                rule(condition.at(path), " -F");
            } else if (CompletionWords.areKnown(argument) && !argument.hidden()) {
                rule(condition.at(path, index.min(), index.max()), " -a " + words(argument));
            }
        }
        subcommands.forEach(subcommand -> add(
                subcommand,
                Stream.concat(path.stream(), Stream.of(subcommand.name())).toList()));
    }

    private void rule(String condition, String offer) {
        lines.add("complete -c " + tool + " -n " + quote(condition) + offer);
    }

    private static String names(OptionSpec option) {
        var out = new StringBuilder();
        for (String name : option.names()) {
            if (name.startsWith("--")) {
                out.append(" -l ").append(name.substring(2));
            } else if (name.length() == 2) {
                out.append(" -s ").append(name.substring(1));
            } else {
                out.append(" -o ").append(name.substring(1));
            }
        }
        return out.toString();
    }

    private static String values(OptionSpec option) {
        if (option.arity().max() == 0) {
            return "";
        }
        if (isFile(option)) {
            return " -r -F";
        }
        return CompletionWords.areKnown(option) ? " -x -a " + words(option) : " -x";
    }

    /** Returns whether an option or argument is a file: by its type or, where that is text, by its label. */
    private static boolean isFile(ArgSpec argument) {
        return FILE_LABELS.contains(argument.paramLabel())
                || CompletionWords.types(argument).anyMatch(type -> type == Path.class || type == File.class);
    }

    private static String words(ArgSpec argument) {
        return quote(String.join(" ", CompletionWords.of(argument)));
    }

    private static String description(String text) {
        return text.isEmpty() ? "" : " -d " + quote(text);
    }

    static String quote(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
