package io.taskmaster.cli.manual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the completion of a small command line in bash. */
final class BashCompletionTest {

    private static final String SCRIPT =
            BashCompletion.of("tool", SmallCommandLine.spec().commandLine());

    @TempDir
    private Path folder;

    @Test
    void wordsOfEnumsAreInLowerCase() {
        assertThat(SCRIPT)
                .contains("(\"fast\" \"safe\") # --mode values", "(\"fast\" \"safe\") # 0-0 values")
                .doesNotContain("FAST");
    }

    @ParameterizedTest
    @CsvSource({"copy --mode '', fast safe", "copy --mode s, safe", "box open f, fast", "cop, copy"})
    void bashOffers(String typed, String offered) throws Exception {
        assumeThat(Stream.of(System.getenv("PATH").split(":")))
                .as("folders with bash")
                .anyMatch(bin -> Files.isExecutable(Path.of(bin, "bash")));
        Path script = Files.writeString(folder.resolve("tool.bash"), SCRIPT);
        // Outside of a completion, compopt is an error.
        String line = "compopt() { :; }; source '%s'; COMP_WORDS=(tool %s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
                        .formatted(script, typed)
                + "_complete_tool; echo ${COMPREPLY[*]}";
        Process bash = new ProcessBuilder("bash", "--norc", "-c", line)
                .redirectErrorStream(true)
                .start();
        String words = bash.inputReader().readAllAsString().strip();
        assertThat(bash.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(words).isEqualTo(offered);
    }
}
