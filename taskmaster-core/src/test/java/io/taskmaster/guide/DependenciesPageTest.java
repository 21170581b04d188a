package io.taskmaster.guide;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class DependenciesPageTest {

    private static final Path ROOT = Path.of("..");

    /** Modules are one or two folders deep. */
    private static final int MODULE_DEPTH = 3;

    private static final Pattern IN_POM = Pattern.compile("<artifactId>([^<]+)</artifactId>");
    private static final Pattern ON_PAGE = Pattern.compile("`([A-Za-z][\\w.-]+)`");
    private static final Pattern LEFT_OUT = Pattern.compile("(?s)<exclusions>.*?</exclusions>");

    @Test
    void everyDependencyAndPluginHasItsLine() throws IOException {
        Set<String> page = all(ON_PAGE, Files.readString(ROOT.resolve("docs/dependencies.md"), UTF_8));
        Set<String> named = new TreeSet<>();
        for (Path pom : poms()) {
            named.addAll(
                    all(IN_POM, LEFT_OUT.matcher(Files.readString(pom, UTF_8)).replaceAll("")));
        }
        named.removeIf(part -> part.startsWith("taskmaster"));

        assertThat(page).containsAll(named);
    }

    /**
     * Returns the build files of all modules except dist/hbase: the page describes in words the parts of HBase that
     * only that module depends on.
     */
    private static List<Path> poms() throws IOException {
        try (Stream<Path> modules = Files.find(
                ROOT, MODULE_DEPTH, (path, _) -> path.endsWith("pom.xml") && !path.endsWith("dist/hbase/pom.xml"))) {
            return modules.toList();
        }
    }

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
