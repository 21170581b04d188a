package io.taskmaster.conformance;

import com.google.protobuf.Message;
import io.taskmaster.proxy.config.Values;
import io.taskmaster.server.config.NodeSetting;
import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.history.HistoryReader;
import io.taskmaster.testkit.oracle.Oracle;
import io.taskmaster.testkit.oracle.verdict.OracleSettings;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The history of the calls of clients in another language to one server's data, over all restarts of the server.
 * Immutable.
 *
 * @param name the name of the file
 * @param settings the settings of the server that matter to the oracle
 */
record RecordedHistory(String name, History history, OracleSettings settings) {

    private static final String ENDING = ".jsonl";

    /** Returns the histories that a suite has written to a folder. */
    static List<RecordedHistory> readAll(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            List<RecordedHistory> histories = new ArrayList<>();
            for (Path file : files.filter(file -> file.toString().endsWith(ENDING))
                    .sorted()
                    .toList()) {
                histories.add(read(file));
            }
            return histories;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Deletes the histories of earlier runs. */
    static void clear(Path folder) {
        try {
            Files.createDirectories(folder);
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static RecordedHistory read(Path file) throws IOException {
        String name = file.getFileName().toString();
        Path settings = file.resolveSibling(name.replace(ENDING, ".settings"));
        String dedupWindow = Files.readAllLines(settings).stream()
                .filter(line -> line.startsWith(NodeSetting.DEDUP_WINDOW.key() + "="))
                .map(line -> line.substring(line.indexOf('=') + 1))
                .findFirst()
                .orElse(NodeSetting.DEDUP_WINDOW.defaultValue());
        return new RecordedHistory(
                name,
                HistoryReader.read(file),
                OracleSettings.DEFAULT.withDedupWindow(Values.duration(NodeSetting.DEDUP_WINDOW.key(), dedupWindow)));
    }

    OracleVerdict verdict() {
        return Oracle.judge(history, settings);
    }

    /** Returns the verdict of the oracle on a changed history. */
    OracleVerdict verdictOf(History other) {
        return Oracle.judge(other, settings);
    }

    /** Returns the number of calls over several histories, by kind of request. */
    static Map<Class<? extends Message>, Long> calls(List<RecordedHistory> histories) {
        return histories.stream()
                .flatMap(recorded -> recorded.history.calls().stream())
                .collect(Collectors.groupingBy(call -> call.request().getClass(), Collectors.counting()));
    }
}
