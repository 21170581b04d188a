package io.taskmaster.cli.manual;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Texts of the command model without the markup of the terminal. Stateless. */
final class HelpText {

    private static final Pattern FORMAT_ESCAPE = Pattern.compile("%[%n]");

    private HelpText() {}

    /** Returns the description of a command as one line. */
    static String of(CommandSpec command) {
        return line(command.usageMessage().description());
    }

    /** Returns the first sentence of the description of a command, without its full stop. */
    static String summary(CommandSpec command) {
        String text = of(command);
        int end = text.indexOf(". ");
        String first = end < 0 ? text : text.substring(0, end);
        return first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
    }

    /** Returns the description of an option or a parameter as one line. */
    static String of(ArgSpec argument) {
        return line(argument.description());
    }

    /** Returns lines that are kept apart, such as examples. */
    static List<String> lines(String... text) {
        return plain(String.join("\n", text)).lines().toList();
    }

    /** Returns the options that the help shows, in its order. */
    static List<OptionSpec> options(CommandSpec command) {
        return command.options().stream()
                .filter(Predicate.not(OptionSpec::hidden))
                .toList();
    }

    /** Returns the subcommands that the help shows, each once. */
    static List<CommandSpec> subcommands(CommandSpec command) {
        return command.subcommands().values().stream()
                .distinct()
                .map(CommandLine::getCommandSpec)
                .filter(spec -> !spec.usageMessage().hidden())
                .toList();
    }

    private static String line(String... text) {
        return Arrays.stream(text)
                .map(HelpText::plain)
                .collect(Collectors.joining(" "))
                .replaceAll("\\s+", " ")
                .strip();
    }

    /** Resolves what picocli resolves in a help text: markup, and the two escapes of format strings. */
    private static String plain(String text) {
        return FORMAT_ESCAPE
                .matcher(Ansi.OFF.string(text))
                .replaceAll(escape -> escape.group().equals("%n") ? "\n" : "%");
    }
}
