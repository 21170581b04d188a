package io.taskmaster.structure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests of the structure of all main sources: the gates behind the scorecard. */
final class StructureTest {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    /** The packages that may have more files: each is one page of public API, or says why. */
    private static final Set<String> LARGE_PACKAGES = Set.of("io.taskmaster.client");

    private static SourceTree sources;
    private static Scorecard scorecard;

    @BeforeAll
    static void readSources() throws IOException {
        sources = SourceTree.read(ROOT);
        scorecard = new Scorecard(sources);
        assertThat(sources.files()).as("main sources").hasSizeGreaterThan(1_000);
    }

    @Test
    void packagesAreSmall() {
        assertThat(scorecard.largePackages()).allMatch(large -> LARGE_PACKAGES.contains(large.replaceAll(":.*", "")));
    }

    @Test
    void noPackageIsInACircle() {
        assertThat(scorecard.circles()).isEmpty();
    }

    @Test
    void filesAreShort() {
        assertThat(scorecard.longFiles()).isEmpty();
    }

    @Test
    void methodsAreShort() {
        assertThat(scorecard.longMethods()).isEmpty();
    }

    @Test
    void constructorsHaveFewParameters() {
        assertThat(scorecard.wideConstructors()).isEmpty();
    }

    @Test
    void docsOfTypesOpenWithANoun() {
        assertThat(scorecard.riddles()).isEmpty();
    }

    @Test
    void actorsHaveNames() {
        assertThat(scorecard.namelessActors()).isEmpty();
    }

    @Test
    void filesAndDocsOfTestsFollowTheSameRules() throws IOException {
        SourceTree tests = SourceTree.readTests(ROOT);
        assertThat(tests.files()).as("sources of tests").hasSizeGreaterThan(500);
        Scorecard ofTests = new Scorecard(tests);
        assertThat(ofTests.longFiles()).isEmpty();
        assertThat(ofTests.riddles()).isEmpty();
        assertThat(ofTests.namelessActors()).isEmpty();
    }

    @Test
    void namesOfTypesAreUniqueOrListedWithAReason() throws IOException {
        Properties reasons = new Properties();
        try (InputStream file = getClass().getResourceAsStream("duplicate-names.properties")) {
            reasons.load(Objects.requireNonNull(file));
        }
        assertThat(scorecard.duplicateNames().keySet())
                .as("names of types in several packages, and those with a reason in duplicate-names.properties")
                .isEqualTo(reasons.keySet().stream().map(Object::toString).collect(toSet()));
        assertThat(reasons.values()).allMatch(reason -> !reason.toString().isBlank());
    }

    @Test
    void everyPackageSaysWhatItIs() {
        Set<String> described = sources.files().stream()
                .filter(file -> file.types().isEmpty() && !file.docs().isEmpty())
                .map(SourceFile::packageName)
                .collect(toSet());
        assertThat(described)
                .isEqualTo(sources.files().stream().map(SourceFile::packageName).collect(toSet()));
    }

    /** {@code .ci/package-map} writes the map. */
    @Test
    void thePackageMapIsThatOfTheSources() throws IOException {
        String page = Files.readString(ROOT.resolve(PackageMap.PAGE), UTF_8);
        assertThat(PackageMap.in(page)).isEqualTo(PackageMap.of(sources));
    }
}
