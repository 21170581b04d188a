package io.taskmaster.server.store.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.StoreInUseException;
import io.taskmaster.tests.JavaProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test that kills a process during its writes, several times on the same folder, and checks that all acknowledged
 * writes are there.
 */
final class KilledStoreTest {

    private static final int LIVES = 3;
    private static final int ACKNOWLEDGED_PER_LIFE = 2_000;

    @TempDir
    Path folder;

    private final TreeSet<Integer> logs = new TreeSet<>();
    private final TreeSet<Integer> tasks = new TreeSet<>();

    @Test
    void acknowledgedWritesOutliveTheProcess() throws Exception {
        int next = 0;
        for (int life = 1; life <= LIVES; life++) {
            runUntilKilled(life, next);
            try (RocksDbStore store = RocksDbStore.open(folder, RocksDbSettings.DEFAULTS)) {
                assertComplete(store);
            }
            next = 1_000_000 * life;
        }
    }

    @Test
    void failedWritesAreUnknownAndAcknowledgedOnesStay() throws Exception {
        // No file may grow beyond 24 MB. For the write-ahead log that is like a full disk.
        Process process = start("ulimit -f 24000; exec \"$0\" \"$@\"", 1, 0);
        List<String> lines;
        try (BufferedReader output = process.inputReader(UTF_8)) {
            lines = output.lines().toList();
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(lines.getLast()).isEqualTo("failed UNKNOWN");
        lines.subList(1, lines.size() - 1).forEach(this::note);

        try (RocksDbStore store = RocksDbStore.open(folder, RocksDbSettings.DEFAULTS)) {
            assertThat(logs).isNotEmpty();
            assertComplete(store);
        }
    }

    private void runUntilKilled(int epoch, int first) throws IOException, InterruptedException {
        Process process = start("exec \"$0\" \"$@\"", epoch, first);
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            assertThat(lines.readLine()).isEqualTo("open");
            assertThatThrownBy(() -> RocksDbStore.open(folder, RocksDbSettings.DEFAULTS))
                    .isInstanceOf(StoreInUseException.class);
            int acknowledged = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                note(line);
                if (++acknowledged == ACKNOWLEDGED_PER_LIFE) {
                    // Killed by its handle: the Process object would close the stream, and the last lines matter most.
                    process.toHandle().destroyForcibly();
                }
            }
            assertThat(acknowledged).isGreaterThanOrEqualTo(ACKNOWLEDGED_PER_LIFE);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private Process start(String shell, int epoch, int first) throws IOException {
        List<String> command = new ArrayList<>(List.of("bash", "-c", shell));
        command.addAll(JavaProgram.onClassPath("-Xmx128m"));
        command.addAll(List.of(
                StoreUnderLoad.class.getName(), folder.toString(), Integer.toString(epoch), Integer.toString(first)));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private void note(String line) {
        String[] words = line.split(" ", -1);
        if (words.length == 2 && words[0].equals("log")) {
            logs.add(Integer.valueOf(words[1]));
        } else if (words.length == 2 && words[0].equals("task")) {
            tasks.add(Integer.valueOf(words[1]));
        } else {
            throw new AssertionError("line: " + line + " (expected: log or task, and a number)");
        }
    }

    private void assertComplete(RocksDbStore store) {
        for (int number : logs) {
            Optional<Cell> cell =
                    store.read(List.of(StoreUnderLoad.logCell(number))).join().getFirst();
            assertThat(cell).map(Cell::value).as("log %d", number).contains(StoreUnderLoad.logValue(number));
        }
        for (int number : tasks) {
            List<CellWrite> written = StoreUnderLoad.taskWrites(number, 1);
            List<Optional<Cell>> read =
                    store.read(written.stream().map(CellWrite::key).toList()).join();
            List<Object> values = new ArrayList<>();
            written.forEach(write -> values.add(((CellWrite.Put) write).value()));
            assertThat(read.stream().map(cell -> cell.<Object>map(Cell::value).orElse("missing")))
                    .as("task %d", number)
                    .containsExactlyElementsOf(values);
        }
    }
}
