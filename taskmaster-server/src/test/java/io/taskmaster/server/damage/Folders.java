package io.taskmaster.server.damage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** File operations on data folders. Stateless. */
final class Folders {

    private Folders() {}

    /**
     * Returns all files that a start could miss: all but the lock and the unpacked library, which each start creates.
     */
    static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(folder::relativize)
                    .filter(file ->
                            !file.startsWith("native") && !file.toString().equals("lock"))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Copies a folder. Table files are linked: nothing but the fault changes them, and it gets a copy of its own file.
     */
    static void copy(Path from, Path to, Path notLinked) throws IOException {
        Files.createDirectories(to);
        boolean sameDisk = Files.getFileStore(from).equals(Files.getFileStore(to));
        for (Path file : files(from)) {
            Path target = to.resolve(file);
            Files.createDirectories(target.getParent());
            if (sameDisk && FileKind.of(file) == FileKind.TABLES && !file.equals(notLinked)) {
                Files.createLink(target, from.resolve(file));
            } else {
                Files.copy(from.resolve(file), target);
            }
        }
    }

    static Map<Path, Long> sizes(Path folder) throws IOException {
        Map<Path, Long> sizes = new TreeMap<>();
        for (Path file : files(folder)) {
            sizes.put(file, Files.size(folder.resolve(file)));
        }
        return sizes;
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
