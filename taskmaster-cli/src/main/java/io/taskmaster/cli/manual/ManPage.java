package io.taskmaster.cli.manual;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A manual page of section 1 in roff, with the macros of {@code man(7)}, rendered from the model of a command.
 * Immutable.
 *
 * @param name of the page, such as {@code taskmaster-enqueue}
 * @param roff its content
 */
public record ManPage(String name, String roff) {

    /** Returns the pages of a command and of all its subcommands, except hidden ones. */
    public static List<ManPage> all(CommandSpec command, String version) {
        List<ManPage> pages = new ArrayList<>();
        pages.add(of(command, version));
        HelpText.subcommands(command).forEach(subcommand -> pages.addAll(all(subcommand, version)));
        return List.copyOf(pages);
    }

    /** Returns the file name of the page. */
    public String file() {
        return name + ".1";
    }

    private static ManPage of(CommandSpec command, String version) {
        String name = nameOf(command);
        var out = new StringBuilder(".\\\" Generated from the help of the command.\n");
        out.append(".TH \"%s\" \"1\" \"\" \"taskmaster %s\" \"TaskMaster\"\n"
                .formatted(name.toUpperCase(Locale.ROOT), escape(version)));
        section(out, "Name").append("%s \\- %s\n".formatted(escape(name), escape(HelpText.summary(command))));
        section(out, "Synopsis").append(preformatted(List.of(synopsis(command).split("\n"))));
        section(out, "Description").append(text(HelpText.of(command)));
        parameters(out, command.positionalParameters());
        options(out, HelpText.options(command));
        subcommands(out, HelpText.subcommands(command));
        footer(out, command);
        seeAlso(out, command);
        return new ManPage(name, out.toString());
    }

    private static String nameOf(CommandSpec command) {
        return command.qualifiedName("-");
    }

    private static String synopsis(CommandSpec command) {
        return command.commandLine()
                .getHelp()
                .synopsis(0)
                .replaceAll("\u001B\\[[0-9;]*m", "")
                .stripTrailing();
    }

    private static void parameters(StringBuilder out, List<PositionalParamSpec> parameters) {
        List<PositionalParamSpec> shown =
                parameters.stream().filter(spec -> !spec.hidden()).toList();
        if (shown.isEmpty()) {
            return;
        }
        section(out, "Arguments");
        shown.forEach(spec -> item(out, spec.paramLabel(), HelpText.of(spec)));
    }

    private static void options(StringBuilder out, List<OptionSpec> options) {
        if (options.isEmpty()) {
            return;
        }
        section(out, "Options");
        for (OptionSpec option : options) {
            String names = String.join(", ", option.names());
            boolean takesValue = option.arity().max() > 0;
            item(out, takesValue ? names + " " + option.paramLabel() : names, HelpText.of(option));
        }
    }

    private static void subcommands(StringBuilder out, List<CommandSpec> subcommands) {
        if (subcommands.isEmpty()) {
            return;
        }
        section(out, "Commands");
        subcommands.forEach(spec -> item(out, spec.name(), HelpText.of(spec)));
    }

    private static void footer(StringBuilder out, CommandSpec command) {
        List<String> lines = HelpText.lines(command.usageMessage().footer());
        if (lines.stream().allMatch(String::isBlank)) {
            return;
        }
        String heading = Ansi.OFF
                .string(command.usageMessage().footerHeading())
                .replace("%n", "")
                .replace(":", "")
                .strip();
        section(out, heading.isEmpty() ? "Notes" : heading).append(preformatted(lines));
    }

    private static void seeAlso(StringBuilder out, CommandSpec command) {
        List<String> pages = new ArrayList<>();
        if (command.parent() != null) {
            pages.add(nameOf(command.parent()));
        }
        HelpText.subcommands(command).forEach(subcommand -> pages.add(nameOf(subcommand)));
        if (pages.isEmpty()) {
            return;
        }
        section(out, "See also");
        out.append(String.join(
                ",\n",
                pages.stream()
                        .map(page -> "\\fB%s\\fR(1)".formatted(escape(page)))
                        .toList()));
        out.append('\n');
    }

    private static StringBuilder section(StringBuilder out, String title) {
        return out.append(".SH \"")
                .append(escape(title.toUpperCase(Locale.ROOT)))
                .append("\"\n");
    }

    private static void item(StringBuilder out, String term, String text) {
        out.append(".TP\n\\fB").append(escape(term)).append("\\fR\n").append(text(text));
    }

    private static String text(String text) {
        return protect(escape(text)) + "\n";
    }

    private static String preformatted(List<String> lines) {
        var out = new StringBuilder(".nf\n");
        lines.forEach(line -> out.append(text(line)));
        return out.append(".fi\n").toString();
    }

    /**
     * Escapes what roff would change inside of a line: backslashes, and the characters that it prints as typographic
     * ones, though they have to stay typeable.
     */
    private static String escape(String text) {
        return text.replace("\\", "\\e")
                .replace("-", "\\-")
                .replace("\"", "\\(dq")
                .replace("'", "\\(aq")
                .replace("`", "\\(ga")
                .replace("~", "\\(ti")
                .replace("^", "\\(ha");
    }

    /** Protects an escaped line that would be taken for a request. */
    private static String protect(String line) {
        return line.startsWith(".") ? "\\&" + line : line;
    }
}
