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
    private static final Pattern ON_PAGE = Pattern.compile("`([A-Za-z][\\w.-]+)`");
    private static final Pattern LEFT_OUT = Pattern.compile("(?s)<exclusions>.*?</exclusions>");

    @Test
    void everyDependencyAndPluginOfTheParentPomHasItsLine() throws IOException {
        Set<String> page = all(ON_PAGE, Files.readString(Path.of("../docs/dependencies.md"), UTF_8));
        String parent = Files.readString(Path.of("../pom.xml"), UTF_8);
        Set<String> pom = all(IN_POM, LEFT_OUT.matcher(parent).replaceAll(""));
        pom.remove("taskmaster-parent");

        assertThat(page).containsAll(pom);
    }

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
