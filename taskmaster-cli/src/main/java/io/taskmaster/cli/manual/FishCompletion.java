package io.taskmaster.cli.manual;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A completion script for fish, rendered from the model of the commands: subcommands, options with their descriptions,
 * and values of options where they are files or one of a few words. Stateless.
 */
public final class FishCompletion {

    private FishCompletion() {}

    /** Returns the script for a command and its subcommands. */
    public static String of(CommandSpec root) {
        List<String> lines = new ArrayList<>();
        lines.add("# Completion of %s for fish.".formatted(root.name()));
        add(lines, root, root, List.of());
        return String.join("\n", lines) + "\n";
    }

    /** Adds the lines of a command, which apply after the names on its path. */
    private static void add(List<String> lines, CommandSpec root, CommandSpec command, List<String> path) {
        String rule = "complete -c " + root.name();
        List<CommandSpec> subcommands = HelpText.subcommands(command);
        if (!subcommands.isEmpty()) {
            String condition = " -n " + quote(beforeAnyOf(subcommands, path));
            for (CommandSpec subcommand : subcommands) {
                lines.add(rule + " -f" + condition + " -a " + subcommand.name()
                        + description(HelpText.summary(subcommand)));
            }
        }
        String condition = " -n " + quote(path.isEmpty() ? "__fish_use_subcommand" : after(path));
        for (OptionSpec option : HelpText.options(command)) {
            lines.add(rule + condition + names(option) + values(option) + description(HelpText.of(option)));
        }
        for (CommandSpec subcommand : subcommands) {
            add(
                    lines,
                    root,
                    subcommand,
                    Stream.concat(path.stream(), Stream.of(subcommand.name())).toList());
        }
    }

    private static String beforeAnyOf(List<CommandSpec> subcommands, List<String> path) {
        if (path.isEmpty()) {
            return "__fish_use_subcommand";
        }
        List<String> names = subcommands.stream().map(CommandSpec::name).toList();
        return after(path) + "; and not __fish_seen_subcommand_from " + String.join(" ", names);
    }

    private static String after(List<String> path) {
        return String.join(
                "; and ",
                path.stream().map(name -> "__fish_seen_subcommand_from " + name).toList());
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
        if (option.completionCandidates() == null) {
            return " -x";
        }
        List<String> words = new ArrayList<>();
        option.completionCandidates().forEach(words::add);
        return " -x -a " + quote(String.join(" ", words));
    }

    private static boolean isFile(OptionSpec option) {
        return Stream.concat(Stream.of(option.type()), Stream.of(option.auxiliaryTypes()))
                .anyMatch(type -> type == Path.class || type == File.class);
    }

    private static String description(String text) {
        return text.isEmpty() ? "" : " -d " + quote(text);
    }

    private static String quote(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
