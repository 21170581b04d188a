package io.taskmaster.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher as newcomers meet it: beside sources, with nothing built. */
final class LauncherIT {

    private static final Path REPOSITORY = Path.of("..");
    private static final Set<String> LEFT_OUT = Set.of(".git", ".building", ".idea");
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    @TempDir
    private Path folder;

    @Test
    void buildsWhatItRunsFromSourcesAloneAndOnlyOnce() throws Exception {
        Path clone = folder.resolve("clone");
        copySources(clone);

        assertThat(run(clone, "--version"))
                .contains("building, this takes a minute or two")
                .containsPattern("taskmaster \\d+\\.\\d+");

        assertThat(run(clone, "chaos", "--help")).contains("--minutes").doesNotContain("taskmaster: building");
    }

    /** What it printed; it has to end well. */
    private String run(Path clone, String... arguments) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        List<String> command =
                new ArrayList<>(List.of(clone.resolve("taskmaster").toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(ended).as(Files.readString(output)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
            return Files.readString(output);
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

    /** What a build of a module has left behind; a package may have that name, too. */
    private static boolean isBuilt(Path folder) {
        return folder.endsWith("target") && Files.exists(folder.resolveSibling("pom.xml"));
    }
}
