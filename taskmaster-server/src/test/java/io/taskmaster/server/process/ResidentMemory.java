package io.taskmaster.server.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The resident memory of a process, native memory included, as the kernel counts it. Immutable.
 *
 * @param nowBytes the current size
 * @param peakBytes the maximum so far
 */
public record ResidentMemory(long nowBytes, long peakBytes) {

    static ResidentMemory of(long pid) {
        Path status = Path.of("/proc", Long.toString(pid), "status");
        try {
            long now = 0;
            long peak = 0;
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith("VmRSS:")) {
                    now = kilobytes(line);
                } else if (line.startsWith("VmHWM:")) {
                    peak = kilobytes(line);
                }
            }
            return new ResidentMemory(now << 10, peak << 10);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public long peakMegabytes() {
        return peakBytes >> 20;
    }

    private static long kilobytes(String line) {
        return Long.parseLong(line.replaceAll("\\D", ""));
    }
}
