package io.taskmaster.cli.manual;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A completion script for bash and zsh: picocli's own, in which the words of enums are in lower case. Single-threaded:
 * owned by {@link #of}.
 */
public final class BashCompletion {

    private final Map<String, String> lists = new LinkedHashMap<>();

    private BashCompletion() {}

    /** Returns the script for a command and its subcommands. */
    public static String of(String name, CommandLine root) {
        var completion = new BashCompletion();
        completion.gather(root.getCommandSpec());
        String script = AutoComplete.bash(name, root);
        for (Map.Entry<String, String> list : completion.lists.entrySet()) {
            script = script.replace(list.getKey(), list.getValue());
        }
        return script;
    }

    /** Records the lists of words of a command as the script has them, and as it should have them. */
    private void gather(CommandSpec command) {
        command.args().stream()
                .filter(CompletionWords::areKnown)
                .forEach(argument ->
                        lists.put(array(CompletionWords.declared(argument)), array(CompletionWords.of(argument))));
        command.subcommands().values().forEach(subcommand -> gather(subcommand.getCommandSpec()));
    }

    private static String array(List<String> words) {
        return words.stream().collect(Collectors.joining("\" \"", "_args=(\"", "\")"));
    }
}
