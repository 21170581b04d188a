package io.taskmaster.examples.adsquality.stage;

import io.taskmaster.examples.adsquality.measure.Quality;
import io.taskmaster.model.Bytes;
import io.taskmaster.stage.files.FileWrite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The store of the results: a table for spreadsheets and a ranking for people. Storing again replaces a file as a
 * whole. Thread-safe.
 */
public final class Repositories {

    private final Path folder;

    public Repositories(Path folder) {
        this.folder = folder;
    }

    /**
     * Stores the results of a set.
     *
     * @param results in the order of their advertisers
     */
    void store(String set, List<Quality> results) throws IOException {
        Files.createDirectories(folder);
        write(set + ".csv", table(results));
        write(set + ".md", ranking(set, results));
    }

    private void write(String name, String text) throws IOException {
        FileWrite.replace(folder.resolve(name), Bytes.of(text)).run();
    }

    private static String table(List<Quality> results) {
        return results.stream()
                .map(quality -> "%s,%d,%d\n".formatted(quality.advertiser(), quality.shown(), quality.permille()))
                .collect(Collectors.joining("", "advertiser,shown,permille\n", ""));
    }

    private static String ranking(String set, List<Quality> results) {
        return results.stream()
                .sorted(Comparator.comparingInt(Quality::permille).reversed().thenComparing(Quality::advertiser))
                .map(quality -> "1. %s: %d %% (shown %d times)\n"
                        .formatted(quality.advertiser(), quality.permille() / 10, quality.shown()))
                .collect(Collectors.joining("", "# Quality of ads: " + set + "\n\n", ""));
    }
}
