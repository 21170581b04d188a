package io.taskmaster.server.cli;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A file that is written beside its name, and gets it when it is whole and on the disk. Single-threaded. */
final class WholeFile implements AutoCloseable {

    private final Path file;
    private final boolean replace;
    private final Path part;
    private final FileOutputStream out;

    /**
     * @param replace whether there may be such a file already
     * @throws FileAlreadyExistsException if there may not, and is
     */
    WholeFile(Path file, boolean replace) throws IOException {
        if (!replace && Files.exists(file)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        this.file = file;
        this.replace = replace;
        this.part = file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid() + ".part");
        this.out = new FileOutputStream(part.toFile());
        // For who loses patience.
        part.toFile().deleteOnExit();
    }

    /** What is written; closing it does no harm. */
    OutputStream out() {
        return out;
    }

    /** Gives the file its name. */
    void commit() throws IOException {
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

    /** Leaves nothing behind, unless it was committed. */
    @Override
    public void close() throws IOException {
        out.close();
        Files.deleteIfExists(part);
    }
}
