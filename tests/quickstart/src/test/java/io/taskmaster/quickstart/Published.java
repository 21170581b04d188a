package io.taskmaster.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The artifacts that are published, as this build made them in the folders of their modules. */
final class Published {

    static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    static final String GROUP = "io.taskmaster";
    static final String VERSION = System.getProperty("taskmaster.version", "");
    static final String BOM = "taskmaster-bom";
    static final List<String> LIBRARIES = List.of(
            "taskmaster-core",
            "taskmaster-stage",
            "taskmaster-proxy",
            "taskmaster-cli",
            "taskmaster-server",
            "taskmaster-testkit");

    private Published() {}

    static Path pom(String artifact) {
        return target(artifact).resolve("published-pom.xml");
    }

    static Path jar(String artifact) {
        return target(artifact).resolve(artifact + "-" + VERSION + ".jar");
    }

    private static Path target(String artifact) {
        return ROOT.resolve(artifact).resolve("target");
    }

    /** Writes all of them to a folder, where Maven and Gradle read them as a repository. */
    static void copyTo(Path repository) throws IOException {
        copy(pom(BOM), repository, BOM, ".pom");
        for (String library : LIBRARIES) {
            copy(pom(library), repository, library, ".pom");
            copy(jar(library), repository, library, ".jar");
        }
    }

    private static void copy(Path file, Path repository, String artifact, String ending) throws IOException {
        Path folder =
                repository.resolve(GROUP.replace('.', '/')).resolve(artifact).resolve(VERSION);
        Files.createDirectories(folder);
        Files.copy(file, folder.resolve(artifact + "-" + VERSION + ending));
    }
}
