package io.taskmaster.bigtable;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The executable of Google's emulator, built from source by the same script that developers run by hand. Stateless. */
final class EmulatorProgram {

    private static final Path TARGET = Path.of("target");

    /** The bound on a build, whose sources are downloaded the first time. */
    private static final long LIMIT_MINUTES = 10;

    private EmulatorProgram() {}

    /**
     * Returns the path of the executable. Builds it if it does not exist. Blocks.
     *
     * @throws IllegalStateException if it cannot be built, for example without Go
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
