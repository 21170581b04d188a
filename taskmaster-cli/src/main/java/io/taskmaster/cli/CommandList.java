package io.taskmaster.cli;

import java.util.Arrays;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IHelpSectionRenderer;

/** The list of commands in the usage text, by section, with the first sentence about each command. Stateless. */
final class CommandList implements IHelpSectionRenderer {

    private static final int INDENT = 2;
    private static final int GAP = 2;

    private final Map<String, CommandSection> sections;

    /**
     * Creates the list.
     *
     * @param sections the section of each command, by its name
     */
    CommandList(Map<String, CommandSection> sections) {
        this.sections = sections;
    }

    @Override
    public String render(Help help) {
        var text = new StringBuilder();
        for (CommandSection section : CommandSection.values()) {
            TextTable table = table(help);
            help.subcommands().forEach((name, command) -> {
                if (sections.get(name) == section) {
                    table.addRowValues(
                            name,
                            Arrays.stream(command.commandSpec().usageMessage().description())
                                    .findFirst()
                                    .orElse(""));
                }
            });
            if (table.rowCount() > 0) {
                text.append(System.lineSeparator()).append(section.title()).append(':');
                text.append(System.lineSeparator()).append(table);
            }
        }
        return text.toString();
    }

    private static TextTable table(Help help) {
        int names = help.subcommands().keySet().stream()
                .mapToInt(String::length)
                .max()
                .orElse(0);
        int width = help.commandSpec().usageMessage().width();
        int first = INDENT + names + GAP;
        return TextTable.forColumns(
                help.colorScheme(),
                new Column(first, INDENT, Overflow.SPAN),
                new Column(width - first, 0, Overflow.WRAP));
    }
}
