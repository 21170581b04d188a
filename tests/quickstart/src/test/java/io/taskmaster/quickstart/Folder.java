package io.taskmaster.quickstart;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Copies and deletions of whole folders. */
final class Folder {

    private static final Set<String> NOT_SOURCES = Set.of(".git", ".building", ".gradle", ".idea");

    private Folder() {}

    /** Returns a folder of a name in the target folder of this module, empty. */
    static Path empty(String name) throws IOException {
        Path folder = Path.of("target", name).toAbsolutePath();
        delete(folder);
        return Files.createDirectories(folder);
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }

    /** Copies the sources of one project or of many, without what their builds wrote. */
    static void copySources(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                if (NOT_SOURCES.contains(folder.getFileName().toString()) || isBuilt(folder)) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(from.relativize(folder).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Returns whether a folder is the output of a module's build; a package may have its name, too. */
    private static boolean isBuilt(Path folder) {
        return folder.endsWith("target") && Files.exists(folder.resolveSibling("pom.xml"));
    }
}
