package io.taskmaster.cli.archive;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A file that is written under a temporary name, and renamed when it is complete and durable. Single-threaded: owned by
 * its command.
 */
final class AtomicFile implements AutoCloseable {

    private final Path file;
    private final boolean replace;
    private final Path part;
    private final FileOutputStream out;

    /**
     * Creates the temporary file.
     *
     * @param replace whether the file may exist already
     * @throws FileAlreadyExistsException if it exists and may not
     */
    AtomicFile(Path file, boolean replace) throws IOException {
        if (!replace && Files.exists(file)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        this.file = file;
        this.replace = replace;
        this.part = file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid() + ".part");
        this.out = new FileOutputStream(part.toFile());
        // For a process that is interrupted.
        part.toFile().deleteOnExit();
    }

    /** The stream of the temporary file; may be closed early. */
    OutputStream out() {
        return out;
    }

    /** Syncs the contents, renames the file, and syncs the folder. */
    void commit() throws IOException {
        // In this order: the name must never become durable before the contents.
        out.getFD().sync();
        out.close();
        if (replace) {
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } else {
            Files.move(part, file);
        }
        Path folder = file.toAbsolutePath().getParent();
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    /** Deletes the temporary file, unless it was renamed. */
    @Override
    public void close() throws IOException {
        out.close();
        Files.deleteIfExists(part);
    }
}
