package io.taskmaster.testkit.guide;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A test of the guide to testing: its code is compiled and run here, and in the suites with containers. */
final class TestingGuideTest {

    /** The page of the guide. */
    static final String PAGE = "testing.md";

    private static final Path GUIDE = Path.of("../docs/guide").resolve(PAGE);
    private static final Path HERE = Path.of("src/test/java/io/taskmaster/testkit/guide");
    private static final Path IN_CONTAINERS = Path.of("../tests/containers/src/test/java/io/taskmaster/containers");

    @Test
    void everySnippetIsCopiedFromCodeThatRuns() throws IOException {
        String code = Stream.of(
                        HERE.resolve("ThumbnailStage.java"),
                        HERE.resolve("ThumbnailStageTest.java"),
                        HERE.resolve("StageGuideTest.java"),
                        IN_CONTAINERS.resolve("GuideIT.java"),
                        IN_CONTAINERS.resolve("TaskMasterOnHBaseIT.java"))
                .map(file -> squeezed(read(file)))
                .reduce("", String::concat);
        List<String> snippets = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL)
                .matcher(read(GUIDE))
                .results()
                .map(match -> squeezed(match.group(1)))
                .toList();

        assertThat(snippets).hasSizeGreaterThan(15);
        assertThat(snippets)
                .allSatisfy(snippet -> assertThat(code).as("snippet").contains(snippet));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, UTF_8);
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    private static String squeezed(String code) {
        return code.replaceAll("\\s+", " ").strip();
    }
}
