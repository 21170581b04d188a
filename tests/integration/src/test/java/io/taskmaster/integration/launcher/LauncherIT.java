package io.taskmaster.integration.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.tests.Slow;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of the launcher as new users run it: beside sources, with nothing built. In every build a stand-in for Maven
 * builds next to nothing.
 */
final class LauncherIT {

    private static final Path REPOSITORY = Path.of("../..");
    private static final Set<String> LEFT_OUT = Set.of(".git", ".building", ".idea");
    private static final Duration TIMEOUT = Duration.ofMinutes(20);
    private static final String UNBUILT = "dist/launcher/unbuilt.txt";
    private static final String SOURCE = "module/src/main/java/Some.java";

    @TempDir
    private Path folder;

    @Test
    void buildsWhenNothingIsBuiltOrASourceIsNewer() throws Exception {
        Path home = aHomeWithASource();

        assertThat(run(home, "queues")).contains("taskmaster: building", "started with queues");
        assertThat(run(home, "top", "fetch")).contains("started with top fetch").doesNotContain("taskmaster: building");
        Files.setLastModifiedTime(
                home.resolve(SOURCE),
                FileTime.from(Files.getLastModifiedTime(built(home)).toInstant().plusSeconds(1)));
        assertThat(run(home, "top")).contains("taskmaster: building", "started with top");
        assertThat(Files.readAllLines(home.resolve("builds")))
                .hasSize(2)
                .allSatisfy(line ->
                        assertThat(line).contains("-pl dist/jars,", " -am ").endsWith("package"));
    }

    @Test
    void commandsThatOnlyPrintNeverBuild() throws Exception {
        Path home = aHomeWithASource();

        assertThat(run(home, "--version")).isEqualTo("taskmaster 1.2.3\n");
        for (List<String> command : List.of(
                List.<String>of(),
                List.of("--help"),
                List.of("help"),
                List.of("queues", "--help"),
                List.of("top", "-h"))) {
            assertThat(run(home, command.toArray(String[]::new))).contains("not built yet");
        }
        Ended completion = end(home, "completion");
        assertThat(completion.status()).isEqualTo(1);
        assertThat(completion.output()).contains("not built yet");
        assertThat(home.resolve("builds")).doesNotExist();
        assertThat(run(home, "enqueue", "q", "see --help", "--", "--help"))
                .as("a command whose data reads like a flag")
                .contains("taskmaster: building", "started with enqueue");
    }

    @Test
    void commandsThatOnlyPrintRunWhatIsBuiltEvenIfASourceIsNewer() throws Exception {
        Path home = aHomeWithASource();
        run(home, "queues");
        Files.setLastModifiedTime(
                home.resolve(SOURCE),
                FileTime.from(Files.getLastModifiedTime(built(home)).toInstant().plusSeconds(1)));

        assertThat(run(home, "--version")).contains("started with --version").doesNotContain("building");
    }

    @Test
    void saysWhichModuleIsBeingBuilt() throws Exception {
        assertThat(run(aHomeWithASource(), "queues")).contains("[1/2] TaskMaster :: some");
    }

    @Test
    void gathersTheJarsOfHBaseForTheCommandsThatStartOneAlone() throws Exception {
        Path home = aHomeWithASource();

        run(home, "queues");
        run(home, "hbase", "start", "--help");
        assertThat(home.resolve("dist/hbase/target/lib")).doesNotExist();
        assertThat(run(home, "hbase", "start")).contains("gathering the jars of HBase");
        assertThat(home.resolve("dist/hbase/target/lib/.built")).exists();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--store bigtable",
                "--store=BIGTABLE",
                "--set store=bigtable",
                "--set=store=bigtable",
                "--config FILE",
                "--config=FILE"
            })
    void gathersTheClientOfBigtableForAServerOnBigtable(String arguments) throws Exception {
        Path home = aHomeWithASource();
        Path config = Files.writeString(folder.resolve("c.properties"), "listen = 127.0.0.1:0\nstore = bigtable\n");

        run(home, "server", "--data", "bigtable");
        run(home, "enqueue", "fetch", "--store bigtable");
        assertThat(home.resolve("dist/bigtable/target/lib")).doesNotExist();
        assertThat(run(home, ("server " + arguments.replace("FILE", config.toString())).split(" ")))
                .contains("gathering Google's client for Bigtable");
        assertThat(home.resolve("dist/bigtable/target/lib/.built")).exists();
    }

    @Test
    void doesNotRunWhatDidNotBuild() throws Exception {
        Path home = aHomeWithASource();
        Files.writeString(home.resolve("bin/mvn"), "#!/bin/sh\necho 'a source is wrong'\nexit 1\n");

        Ended ended = end(home, "queues");
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output())
                .contains("a source is wrong", "the build failed")
                .doesNotContain("started with");
        assertThat(home.resolve(".building")).doesNotExist();
    }

    @Slow
    @Test
    void buildsWhatItRunsFromSourcesAloneAndOnlyOnce() throws Exception {
        Path clone = folder.resolve("clone");
        copySources(clone);

        assertThat(run(clone, "token", "read", "x")).contains("building, this takes a minute or two");

        assertThat(run(clone, "--version"))
                .containsPattern("taskmaster \\d+\\.\\d+")
                .doesNotContain("taskmaster: building");
        assertThat(run(clone, "chaos", "--help")).contains("--minutes");
    }

    /** Creates a home with one module, whose Maven puts one class with the name of the main class into a jar. */
    private Path aHomeWithASource() throws IOException {
        Path home = Files.createDirectories(folder.resolve("home"));
        Files.createDirectories(home.resolve("dist/launcher"));
        for (String file : List.of(
                "taskmaster",
                "dist/launcher/launcher.sh",
                "dist/launcher/java.sh",
                "dist/launcher/stores.sh",
                UNBUILT)) {
            Files.copy(REPOSITORY.resolve(file), home.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
        for (String file : List.of("dist/jars/pom.xml", "dist/hbase/pom.xml", "dist/bigtable/pom.xml", SOURCE)) {
            Files.createDirectories(home.resolve(file).getParent());
            Files.writeString(home.resolve(file), "");
        }
        Files.writeString(home.resolve("pom.xml"), "<project>\n  <version>1.2.3</version>\n</project>\n");
        Path jar = Files.createDirectories(home.resolve("bin")).resolve("main.jar");
        MainJar.write(jar);
        Path maven = Files.writeString(home.resolve("bin/mvn"), """
            #!/bin/sh
            echo "$@" >>builds
            echo '[INFO] Building TaskMaster :: some 1.2.3        [1/2]'
            for module in $(echo "$3" | tr , ' '); do
                mkdir -p $module/target/lib && cp %s $module/target/lib
            done
            """.formatted(jar));
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));
        return home;
    }

    private static Path built(Path home) {
        return home.resolve("dist/jars/target/lib/.built");
    }

    /** Returns the output of a run, which must end successfully. */
    private String run(Path home, String... arguments) throws IOException, InterruptedException {
        Ended ended = end(home, arguments);
        assertThat(ended.status()).as(ended.output()).isZero();
        return ended.output();
    }

    private record Ended(int status, String output) {}

    private Ended end(Path home, String... arguments) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        List<String> command =
                new ArrayList<>(List.of(home.resolve("taskmaster").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().merge("PATH", home.resolve("bin").toString(), (path, first) -> first + ":" + path);
        // A training in the background would outlive the test and its folder.
        builder.environment().put("TASKMASTER_AOT", "off");
        Process process = builder.start();
        try {
            boolean ended = process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            assertThat(ended).as(Files.readString(output)).isTrue();
            return new Ended(process.exitValue(), Files.readString(output));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static void copySources(Path clone) throws IOException {
        Files.walkFileTree(REPOSITORY, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes) throws IOException {
                if (LEFT_OUT.contains(from.getFileName().toString()) || isBuilt(from)) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(clone.resolve(REPOSITORY.relativize(from)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path from, BasicFileAttributes attributes) throws IOException {
                Files.copy(from, clone.resolve(REPOSITORY.relativize(from)), StandardCopyOption.COPY_ATTRIBUTES);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Returns whether a folder is the output of a module's build; a package may have its name, too. */
    private static boolean isBuilt(Path folder) {
        return folder.endsWith("target") && Files.exists(folder.resolveSibling("pom.xml"));
    }
}
