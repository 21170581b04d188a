package io.taskmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.taskmaster.cli.common.Terminal;
import io.taskmaster.time.Clock;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Tests that the help of every command, those of all modules, has examples, and that these can be parsed. */
final class ExamplesTest {

    private static final String HEADING = "%nExamples:%n";

    /** A call in a line of the shell: up to a pipe, a redirection or the end of a substitution. */
    private static final Pattern CALL = Pattern.compile("taskmaster((?: +(?:'[^']*'|[^ '|<>()]+))+)");

    private static final Pattern WORD = Pattern.compile("'([^']*)'|([^ ]+)");

    private final Commands commands;

    ExamplesTest() {
        var silent = new PrintWriter(new StringWriter());
        commands = new Commands(
                new Terminal(InputStream.nullInputStream(), silent, silent, false, Clock.system()),
                ServiceLoader.load(CommandProvider.class));
    }

    @Test
    void allModulesAreHere() {
        assertThat(commands.spec().subcommands())
                .containsKeys("enqueue", "server", "bench", "chaos", "hbase", "demo", "help", "completion");
    }

    @Test
    void everyCommandHasAnExampleOfItself() {
        visible(commands.spec()).forEach(command -> {
            String name = command.qualifiedName();
            assertThat(command.usageMessage().footerHeading()).as(name).isEqualTo(HEADING);
            assertThat(command.usageMessage().footer())
                    .as(name)
                    .isNotEmpty()
                    .allMatch(line -> line.startsWith("  ") && line.contains(name))
                    .allMatch(line -> line.length() <= 90);
        });
    }

    @Test
    void everyExampleCanBeParsed() {
        visible(commands.spec())
                .flatMap(command -> Arrays.stream(command.usageMessage().footer()))
                .forEach(line -> {
                    List<List<String>> calls = calls(line);
                    assertThat(calls).as(line).isNotEmpty();
                    calls.forEach(words -> assertThatCode(() -> parse(words))
                            .as(line + ": " + words)
                            .doesNotThrowAnyException());
                });
    }

    private void parse(List<String> words) {
        CommandLine root = commands.spec().commandLine();
        var _ = root.parseArgs(words.toArray(String[]::new));
    }

    /** Returns the arguments of each call in a line of the shell. */
    private static List<List<String>> calls(String line) {
        List<List<String>> calls = new ArrayList<>();
        Matcher call = CALL.matcher(line);
        while (call.find()) {
            List<String> words = new ArrayList<>();
            Matcher word = WORD.matcher(call.group(1));
            while (word.find()) {
                words.add(word.group(1) == null ? word.group(2) : word.group(1));
            }
            calls.add(words);
        }
        return calls;
    }

    /** Returns the commands below one that are shown to users. */
    private static Stream<CommandSpec> visible(CommandSpec command) {
        return command.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(below -> !below.usageMessage().hidden())
                .flatMap(below -> Stream.concat(Stream.of(below), visible(below)));
    }
}
