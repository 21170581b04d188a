package io.taskmaster.cli;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Texts of errors in a command line, one line each. Stateless. */
final class UsageError {

    /** The length of a word for each changed character with which a name still counts as a misspelling. */
    private static final int LENGTH_PER_CHANGE = 3;

    private static final int MAX_CHANGES = 2;

    private UsageError() {}

    static String lineOf(ParameterException error) {
        if (error instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            return lineOf(unmatched, unmatched.getUnmatched().getFirst());
        }
        String line = String.valueOf(error.getMessage()).lines().findFirst().orElse("");
        // The messages of picocli begin with a capital letter, those of the commands with a name.
        return line.matches("(Invalid|Missing|Expected|Unknown|Unmatched|Error) .*")
                ? line.substring(0, 1).toLowerCase(Locale.ROOT) + line.substring(1)
                : line;
    }

    private static String lineOf(UnmatchedArgumentException error, String argument) {
        if (error.isUnknownOption()) {
            List<String> names = error.getCommandLine().getCommandSpec().options().stream()
                    .filter(option -> !option.hidden())
                    .flatMap(option -> List.of(option.names()).stream())
                    .toList();
            return "no such option: " + argument + closest(argument, names);
        }
        List<String> commands = commandsOf(error.getCommandLine());
        return commands.isEmpty()
                ? "unexpected argument: " + argument
                : "no such command: " + argument + closest(argument, commands);
    }

    /** Returns the names of the subcommands that the help shows. */
    static List<String> commandsOf(CommandLine command) {
        return command.getSubcommands().entrySet().stream()
                .filter(entry ->
                        !entry.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns a question for the known name that is most like a misspelled one; empty if none is. */
    static String closest(String word, Collection<String> known) {
        String best = "";
        int least = Math.min(MAX_CHANGES, word.length() / LENGTH_PER_CHANGE) + 1;
        for (String name : known) {
            int distance = distance(word, name);
            if (distance < least) {
                best = name;
                least = distance;
            }
        }
        return best.isEmpty() ? "" : " (did you mean " + best + "?)";
    }

    /** Returns the least number of inserted, deleted and replaced characters between two words. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
