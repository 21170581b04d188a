package io.taskmaster.harness.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;

/** The output of a process. */
final class LogFile {

    private static final int MAX_LINES = 15;
    private static final int READ_BYTES = 16 << 10;

    private LogFile() {}

    /** Returns its end without the frames of stack traces, or the reason why it cannot be read. */
    static String lastLines(Path log) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(Math.max(0, file.length() - READ_BYTES));
            byte[] end = new byte[READ_BYTES];
            int read = Math.max(0, file.read(end));
            List<String> lines = new String(end, 0, read, UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("\tat "))
                    .toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size()));
        } catch (IOException e) {
            return "(its output cannot be read: " + e.getMessage() + ")";
        }
    }
}
