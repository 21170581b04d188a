package io.taskmaster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.taskmaster.testkit.TestServer;
import io.taskmaster.tests.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of the quickstart in a folder of its own, with nothing of TaskMaster but the published artifacts. */
final class QuickstartIT {

    private static final Path PROJECT = Published.ROOT.resolve("examples/quickstart");
    private static final String[] GREETINGS = {"Hello, Ada!", "Hello, Edsger!", "Hello, Grace!"};

    private static final Pattern GRADLE = Pattern.compile("^Gradle (\\d+)\\.(\\d+)", Pattern.MULTILINE);

    @Test
    void mavenBuildsTestsAndRunsIt() throws Exception {
        Path repository = Folder.empty("repository");
        Published.copyTo(repository);

        runWithMaven(UserMaven.with(repository));
    }

    @Test
    void gradleBuildsTestsAndRunsIt() throws Exception {
        Optional<Path> gradle = gradle();
        assumeThat(gradle).as("Gradle 9.1 or later on the PATH").isPresent();
        assumeThat(UserMaven.OFFLINE).as("offline").isFalse();
        Path repository = Folder.empty("repository");
        Published.copyTo(repository);
        Path project = Folder.empty("quickstart-gradle");
        Folder.copySources(PROJECT, project);

        try (TestServer server = TestServer.inMemory()) {
            String printed = Program.run(
                    project,
                    List.of(
                            gradle.orElseThrow().toString(),
                            "--no-daemon",
                            "--console=plain",
                            "-Ptaskmaster.repository=" + repository,
                            "test",
                            "run",
                            "--args=" + server.target()));

            assertThat(printed).contains(GREETINGS);
        }
        assertThat(project.resolve("build/test-results/test")).isNotEmptyDirectory();
    }

    /**
     * The whole of {@code mvn -Ppublish deploy}, in a copy of the sources; then the quickstart with what that wrote.
     */
    @Slow
    @Test
    void mavenBuildsTestsAndRunsItWithWhatTheSourcesDeploy() throws Exception {
        assumeThat(UserMaven.OFFLINE).as("offline, when Maven does not deploy").isFalse();
        Path sources = Folder.empty("sources");
        Folder.copySources(Published.ROOT, sources);
        Path repository = Folder.empty("deployed");

        UserMaven maven = UserMaven.with(repository);
        maven.run(
                sources,
                "-Ppublish",
                "-DskipTests",
                "-Dspotless.check.skip",
                "-DaltDeploymentRepository=local::" + repository.toUri(),
                "deploy");

        Path group = repository.resolve("io/taskmaster");
        assertThat(names(group)).hasSize(1 + Published.LIBRARIES.size()).containsAll(Published.LIBRARIES);
        assertThat(names(group.resolve(Published.BOM).resolve(Published.VERSION)))
                .anyMatch(name -> name.endsWith(".pom"));
        for (String library : Published.LIBRARIES) {
            assertThat(names(group.resolve(library).resolve(Published.VERSION)))
                    .anyMatch(name -> name.endsWith(".pom"))
                    .anyMatch(name -> name.endsWith("-sources.jar"))
                    .anyMatch(name -> name.endsWith("-javadoc.jar"));
        }
        runWithMaven(maven);
    }

    private static void runWithMaven(UserMaven maven) throws IOException, InterruptedException {
        Path project = Folder.empty("quickstart-maven");
        Folder.copySources(PROJECT, project);
        try (TestServer server = TestServer.inMemory()) {
            String printed = maven.run(project, "test", "exec:java", "-Dexec.args=" + server.target());

            assertThat(printed).contains(GREETINGS).contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0");
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith("maven-metadata"))
                    .toList();
        }
    }

    /** Returns the Gradle on the PATH, if it runs on Java 25. */
    private static Optional<Path> gradle() throws IOException, InterruptedException {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            Path program = Path.of(folder, "gradle");
            if (Files.isExecutable(program)) {
                String version = Program.run(Path.of("."), List.of(program.toString(), "--version"));
                return Optional.of(program).filter(_ -> isRecent(version));
            }
        }
        return Optional.empty();
    }

    private static boolean isRecent(String version) {
        Matcher gradle = GRADLE.matcher(version);
        return gradle.find() && 100 * Integer.parseInt(gradle.group(1)) + Integer.parseInt(gradle.group(2)) >= 901;
    }
}
