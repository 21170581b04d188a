package io.taskmaster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of what the documents say of the dependencies of users: it is what the quickstart has, and of this version. */
final class DependencySnippetsTest {

    private static final Path QUICKSTART = Published.ROOT.resolve("examples/quickstart");
    private static final Path SOURCE = Path.of("src/main/java/io/taskmaster/examples/quickstart/Quickstart.java");
    private static final String CLASS = "public final class Quickstart {";

    private static final Pattern MANAGED =
            Pattern.compile("<artifactId>taskmaster-bom</artifactId> <version>([^<]+)</version>");
    private static final Pattern PLATFORM =
            Pattern.compile("platform\\(\"io\\.taskmaster:taskmaster-bom:([^\"]+)\"\\)");
    private static final Pattern OTHER_VERSION = Pattern.compile(
            "<artifactId>taskmaster-(?!bom)[\\w-]+</artifactId> <version>|\"io\\.taskmaster:taskmaster-(?!bom)[\\w-]+:");
    private static final Pattern ARTIFACT =
            Pattern.compile("<artifactId>(taskmaster-[\\w-]+)<|\"io\\.taskmaster:(taskmaster-[\\w-]+)");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "docs/client.md",
                "docs/guide/pipelines.md",
                "docs/guide/testing.md",
                "examples/quickstart/README.md"
            })
    void aPageHasTheDependenciesForMavenAndForGradle(String page) throws IOException {
        String maven = squeezed(snippets(page, "xml"));
        String gradle = squeezed(snippets(page, "kotlin"));

        assertThat(all(MANAGED, maven)).isNotEmpty().containsOnly(Published.VERSION);
        assertThat(all(PLATFORM, gradle)).isNotEmpty().containsOnly(Published.VERSION);
        assertThat(maven + gradle).doesNotContainPattern(OTHER_VERSION);
        assertThat(all(ARTIFACT, maven)).isSubsetOf(published()).hasSameElementsAs(all(ARTIFACT, gradle));
    }

    @Test
    void theQuickstartHasThisVersionForMavenAndForGradle() throws IOException {
        String maven = squeezed(Files.readString(QUICKSTART.resolve("pom.xml")));
        String gradle = squeezed(Files.readString(QUICKSTART.resolve("build.gradle.kts")));

        assertThat(all(MANAGED, maven)).containsExactly(Published.VERSION);
        assertThat(all(PLATFORM, gradle)).containsExactly(Published.VERSION);
        assertThat(all(ARTIFACT, maven)).hasSameElementsAs(all(ARTIFACT, gradle));
    }

    /** The README leaves out the package, the imports and the Javadoc. */
    @Test
    void theReadmeHasTheWholeClassInFortyLines() throws IOException {
        String source = Files.readString(QUICKSTART.resolve(SOURCE));
        String code = source.substring(source.indexOf(CLASS));

        assertThat(squeezed(snippets("README.md", "java"))).contains(squeezed(code));
        assertThat(code.lines().filter(line -> !line.isBlank())).hasSizeLessThanOrEqualTo(40);
    }

    private static List<String> published() {
        return Stream.concat(Stream.of(Published.BOM), Published.LIBRARIES.stream())
                .toList();
    }

    private static String snippets(String page, String language) throws IOException {
        String text = Files.readString(Published.ROOT.resolve(page));
        return String.join("\n", all(Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL), text));
    }

    /** Returns the first group of each match that took part in it. */
    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(DependencySnippetsTest::group)
                .toList();
    }

    private static String group(MatchResult match) {
        String first = match.group(1);
        return first == null ? match.group(2) : first;
    }

    /** Returns a text whose line breaks and indentation do not matter. */
    private static String squeezed(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }
}
