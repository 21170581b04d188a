package io.taskmaster.server.overload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * A factory of folders in memory, if the system has such a file system with enough space, and on the disk otherwise. A
 * store that is slow in a known way must not have the stalls of the disk as well. Stateless.
 */
final class MemoryFolder implements TempDirFactory {

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long MIN_FREE_BYTES = 2L << 30;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
        return isLargeEnough() ? Files.createTempDirectory(MEMORY, "overload") : Files.createTempDirectory("overload");
    }

    private static boolean isLargeEnough() throws IOException {
        return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= MIN_FREE_BYTES;
    }
}
