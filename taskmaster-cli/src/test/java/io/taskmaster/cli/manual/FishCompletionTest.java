package io.taskmaster.cli.manual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the completion of a small command line in fish. */
final class FishCompletionTest {

    private static final String SCRIPT = FishCompletion.of(SmallCommandLine.spec());

    private final List<String> lines = SCRIPT.lines().toList();

    @TempDir
    private Path folder;

    @Test
    void subcommandsAreOfferedWhereNoneIsGivenYet() {
        assertThat(lines)
                .contains(
                        "complete -c tool -n '__tool_at \\'\\' 0 0' -a copy -d 'Copies a file'",
                        "complete -c tool -n '__tool_at \\' box\\' 0 0' -a open -d 'Opens a box'");
    }

    @Test
    void optionsAreOfferedAfterTheirCommandWithTheValuesThatAreKnown() {
        String after = "complete -c tool -n '__tool_at \\' copy\\''";
        assertThat(lines)
                .contains(
                        after + " -s t -l to -r -F -d 'The target.'",
                        after + " -l mode -x -a 'fast safe' -d 'The way.'",
                        after + " -l times -x -d 'The number of copies.'",
                        after + " -l quiet -d 'Doesn\\'t print anything.'");
    }

    @Test
    void whatTheHelpHidesIsNotOffered() {
        assertThat(lines).noneMatch(line -> line.contains("inner") || line.contains("secret"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "nothing",
            value = {
                "'tool ' | box copy",
                "'tool box ' | open",
                "'tool box --shelf 3 ' | open",
                "'tool box --shelf=3 ' | open",
                "'tool box open ' | fast safe",
                "'tool box open safe ' | nothing",
                "'tool box open copy --' | nothing",
                "'tool box copy --' | --shelf",
                "'tool copy box --q' | --quiet",
                "'tool copy --mode ' | fast safe",
                "'tool copy --to a' | a-file",
                "'tool copy a' | a-file"
            })
    void fishOffers(String typed, String offered) throws Exception {
        assumeThat(Stream.of(System.getenv("PATH").split(":")))
                .as("folders with fish")
                .anyMatch(bin -> Files.isExecutable(Path.of(bin, "fish")));
        Files.writeString(folder.resolve("a-file"), "");
        Path script = Files.writeString(folder.resolve("tool.fish"), SCRIPT);
        String line = "source %s; rm %s; complete -C %s".formatted(script, script, FishCompletion.quote(typed));
        Process fish = new ProcessBuilder("fish", "--no-config", "-c", line)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String words = String.join(
                " ",
                fish.inputReader()
                        .lines()
                        .map(found -> found.replaceFirst("\t.*", ""))
                        .sorted()
                        .toList());
        assertThat(fish.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(words).isEqualTo(offered == null ? "" : offered);
    }
}
