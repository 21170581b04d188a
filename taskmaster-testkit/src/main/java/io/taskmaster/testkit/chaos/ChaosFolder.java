package io.taskmaster.testkit.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where everything of a run is. Immutable.
 *
 * @param root the folder
 */
record ChaosFolder(Path root) {

    private static final String EXTENSION = ".jsonl";
    private static final String WORKER = "worker-";
    private static final long WORKING_BYTES = 5_000;

    /** Makes an empty one. */
    static ChaosFolder create(Path root) {
        try {
            Files.createDirectories(root);
            ChaosFolder folder = new ChaosFolder(root);
            Files.createDirectory(folder.history());
            Files.createDirectory(folder.server());
            return folder;
        } catch (IOException e) {
            throw new ChaosException(
                    "folder: %s (expected: an empty one, or none, that can be written)".formatted(root), e);
        }
    }

    /** Data and log of the server. */
    Path server() {
        return root.resolve("server");
    }

    /** What clients recorded, a file for each and each of its lives. */
    Path history() {
        return root.resolve("history");
    }

    /** Verdict and time line. */
    Path report() {
        return root.resolve("report.txt");
    }

    static String worker(int number) {
        return WORKER + number;
    }

    Path log(String process) {
        return root.resolve(process + ".log");
    }

    /** The file of a client that nobody has begun yet. */
    static Path fresh(Path history, String client) {
        for (int life = 1; ; life++) {
            Path file = history.resolve(client + "." + life + EXTENSION);
            if (!Files.exists(file)) {
                return file;
            }
        }
    }

    /** Workers that have asked several things. */
    long workersThatWork() {
        return histories().stream()
                .filter(file -> file.getFileName().toString().startsWith(WORKER))
                .filter(file -> file.toFile().length() > WORKING_BYTES)
                .count();
    }

    List<Path> histories() {
        try (Stream<Path> files = Files.list(history())) {
            return files.filter(file -> file.toString().endsWith(EXTENSION))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
