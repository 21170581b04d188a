package io.taskmaster.bigtable;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Google's emulator as an executable file, built from source by the script that people run by hand too. Stateless. */
final class EmulatorProgram {

    private static final Path TARGET = Path.of("target");

    /** The first time, its sources come over the network. */
    private static final long LIMIT_MINUTES = 10;

    private EmulatorProgram() {}

    /**
     * Where it is. Builds it if it is not there. Blocks.
     *
     * @throws IllegalStateException if it cannot be built, as without Go
     */
    static Path build() throws InterruptedException {
        Path log = TARGET.resolve("emulator-build.txt");
        try {
            Files.createDirectories(TARGET);
            ProcessBuilder builder = new ProcessBuilder("sh", "emulator/build").redirectError(log.toFile());
            builder.environment()
                    .put("TASKMASTER_BUILD", TARGET.toAbsolutePath().toString());
            Process process = builder.start();
            try {
                if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                    throw new IllegalStateException("the emulator is not built: " + Files.readString(log));
                }
                return Path.of(new String(process.getInputStream().readAllBytes(), UTF_8).strip());
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot build the emulator", e);
        }
    }
}
