package io.taskmaster.guide;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class DependenciesPageTest {

    private static final Pattern IN_POM = Pattern.compile("<artifactId>([^<]+)</artifactId>");
    private static final Pattern ON_PAGE = Pattern.compile("`([A-Za-z][\\w-]+)`");

    @Test
    void everyDependencyAndPluginOfTheParentPomHasItsLine() throws IOException {
        Set<String> page = all(ON_PAGE, Path.of("../docs/dependencies.md"));
        Set<String> pom = all(IN_POM, Path.of("../pom.xml"));
        pom.remove("taskmaster-parent");

        assertThat(page).containsAll(pom);
    }

    private static Set<String> all(Pattern pattern, Path file) throws IOException {
        return pattern.matcher(Files.readString(file, UTF_8))
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
