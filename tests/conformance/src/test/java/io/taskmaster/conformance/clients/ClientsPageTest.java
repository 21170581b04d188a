package io.taskmaster.conformance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that {@code docs/clients.md} shows the example clients as they are, and names every advice of the contract. */
final class ClientsPageTest {

    private static final Path PAGE = Path.of("../../docs/clients.md");
    private static final Path ERRORS = Path.of("../../docs/errors.md");
    private static final Pattern BLOCK = Pattern.compile("```(\\w+)\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern ADVICE = Pattern.compile("^\\| `([A-Z_]+)` \\| [A-Z]", Pattern.MULTILINE);
    private static final int MAX_LINES = 40;

    private static final Map<String, String> FENCES =
            Map.of("py", "python", "go", "go", "ts", "typescript", "run", "sh");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "python/worker.py", "python/calls.py", "python/run",
                "go/worker.go", "go/calls.go", "go/run",
                "typescript/worker.ts", "typescript/calls.ts", "typescript/run"
            })
    void thePageShowsEachFileAsItIs(String name) throws IOException {
        String fence = FENCES.get(name.substring(name.lastIndexOf(name.contains(".") ? '.' : '/') + 1));

        assertThat(blocks())
                .contains("```" + fence + "\n" + Files.readString(ExampleWorker.EXAMPLES.resolve(name)) + "```");
    }

    @ParameterizedTest
    @ValueSource(strings = {"python/worker.py", "go/worker.go", "typescript/worker.ts"})
    void aWorkerHasFortyLines(String name) throws IOException {
        assertThat(Files.readAllLines(ExampleWorker.EXAMPLES.resolve(name))).hasSizeLessThanOrEqualTo(MAX_LINES);
    }

    @Test
    void everyAdviceOfAnErrorIsInTheTableOfRepetitions() throws IOException {
        Set<String> advices = advices(ERRORS);

        assertThat(advices).contains("RETRY_LATER", "OUTCOME_UNKNOWN");
        assertThat(advices(PAGE)).isEqualTo(advices);
    }

    @Test
    void theExampleInPythonHasTheVersionsOfTheSuite() throws IOException {
        assertThat(Files.readAllLines(Path.of("python/requirements.txt")))
                .containsAll(Files.readAllLines(ExampleWorker.EXAMPLES.resolve("python/requirements.txt")).stream()
                        .filter(line -> !line.startsWith("#"))
                        .toList());
    }

    private static List<String> blocks() throws IOException {
        try (Stream<MatchResult> found = BLOCK.matcher(Files.readString(PAGE)).results()) {
            return found.map(MatchResult::group).toList();
        }
    }

    private static Set<String> advices(Path page) throws IOException {
        return ADVICE.matcher(Files.readString(page))
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toSet());
    }
}
