package io.taskmaster.harness.chaos;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder of a run. Immutable.
 *
 * @param root the folder
 */
record ChaosFolder(Path root) {

    private static final String EXTENSION = ".jsonl";
    private static final String WORKER = "worker-";
    private static final long WORKING_BYTES = 5_000;

    /** Creates an empty folder. */
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

    /** Returns the folder with data and log of the server. */
    Path server() {
        return root.resolve("server");
    }

    /** Returns the folder of a store that has processes of its own. */
    Path store() {
        return root.resolve("store");
    }

    /** Returns the folder of recorded histories, with a file for each client and each of its lives. */
    Path history() {
        return root.resolve("history");
    }

    /** Returns the file with verdict and time line. */
    Path report() {
        return root.resolve("report.txt");
    }

    static String worker(int number) {
        return WORKER + number;
    }

    Path log(String process) {
        return root.resolve(process + ".log");
    }

    /** Returns a file for the next life of a client. */
    static Path fresh(Path history, String client) {
        for (int life = 1; ; life++) {
            Path file = history.resolve(client + "." + life + EXTENSION);
            if (!Files.exists(file)) {
                return file;
            }
        }
    }

    /** Deletes the data of the server and its store. */
    void deleteData() {
        try {
            for (Path data : List.of(server().resolve("data"), store())) {
                if (Files.exists(data)) {
                    MoreFiles.deleteRecursively(data, RecursiveDeleteOption.ALLOW_INSECURE);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the number of workers that have made several calls. */
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
