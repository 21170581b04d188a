package io.taskmaster.cli.manual;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Model.ArgSpec;

/** The words that completion offers as values of an option or argument. Stateless. */
final class CompletionWords {

    private CompletionWords() {}

    /** Returns whether an option or argument is one of a few words. */
    static boolean areKnown(ArgSpec argument) {
        return argument.completionCandidates() != null;
    }

    /**
     * Returns the words. Those of enums are in lower case, in which the help has them: the commands accept them in any.
     */
    static List<String> of(ArgSpec argument) {
        boolean ofEnum = types(argument).anyMatch(Class::isEnum);
        return declared(argument).stream()
                .map(word -> ofEnum ? word.toLowerCase(Locale.ROOT) : word)
                .toList();
    }

    /** Returns the words as the model has them. */
    static List<String> declared(ArgSpec argument) {
        return areKnown(argument)
                ? StreamSupport.stream(argument.completionCandidates().spliterator(), false)
                        .toList()
                : List.of();
    }

    /** Returns the type of the value of an option or argument, and those of the parts of a list or map. */
    static Stream<Class<?>> types(ArgSpec argument) {
        return Stream.concat(Stream.of(argument.type()), Stream.of(argument.auxiliaryTypes()));
    }
}
