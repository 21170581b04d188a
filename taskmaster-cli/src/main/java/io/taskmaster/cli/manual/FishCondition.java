package io.taskmaster.cli.manual;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The condition of the lines of a completion for fish: that the words before the cursor name a certain command, and how
 * many arguments it has already. fish has no such condition: it can only tell whether a word occurs anywhere.
 * Immutable.
 *
 * @param name the name of the function that checks it
 * @param commands the paths of all subcommands
 * @param valued the options that a word of their own follows, after the path of their command, where arguments are
 *     counted
 */
record FishCondition(String name, List<String> commands, List<String> valued) {

    FishCondition {
        commands = List.copyOf(commands);
        valued = List.copyOf(valued);
    }

    /** Returns the condition for the subcommands of a command. */
    static FishCondition of(CommandSpec root) {
        List<String> commands = new ArrayList<>();
        List<String> valued = new ArrayList<>();
        gather(root, "", commands, valued);
        return new FishCondition("__" + root.name().replaceAll("[^A-Za-z0-9]", "_") + "_at", commands, valued);
    }

    private static void gather(CommandSpec command, String path, List<String> commands, List<String> valued) {
        List<CommandSpec> subcommands = HelpText.subcommands(command);
        boolean counts = !subcommands.isEmpty()
                || command.positionalParameters().stream().anyMatch(CompletionWords::areKnown);
        if (counts) {
            HelpText.options(command).stream()
                    .filter(option -> option.arity().max() > 0)
                    .flatMap(option -> Stream.of(option.names()))
                    .forEach(option -> valued.add(path + " " + option));
        }
        for (CommandSpec subcommand : subcommands) {
            String itsPath = path + " " + subcommand.name();
            commands.add(itsPath);
            gather(subcommand, itsPath, commands, valued);
        }
    }

    /** Returns the test that the words name this command. */
    String at(List<String> path) {
        return name + " " + FishCompletion.quote(join(path));
    }

    /** Returns the test that they also are followed by so many arguments. */
    String at(List<String> path, int least, int most) {
        return at(path) + " " + least + " " + most;
    }

    private static String join(List<String> path) {
        return path.stream().map(word -> " " + word).collect(Collectors.joining());
    }

    /** Returns the lines of the function. */
    List<String> function() {
        return """
                function %s -a wanted least most
                    set -l at ''
                    set -l arguments 0
                    set -l skip 0
                    set -l commands %s
                    set -l valued %s
                    set -l words (commandline -opc)
                    for word in $words[2..-1]
                        if test $skip = 1
                            set skip 0
                        else if string match -q -- '-*' $word
                            contains -- "$at $word" $valued; and set skip 1
                        else if test $arguments = 0; and contains -- "$at $word" $commands
                            set at "$at $word"
                        else
                            set arguments (math $arguments + 1)
                        end
                    end
                    test "$at" = "$wanted"; or return 1
                    test -z "$least"; or test $arguments -ge $least -a $arguments -le $most
                end""".formatted(name, quoted(commands), quoted(valued)).lines().toList();
    }

    private static String quoted(List<String> words) {
        return words.stream().map(FishCompletion::quote).collect(Collectors.joining(" "));
    }
}
