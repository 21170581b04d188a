package io.taskmaster.server.store.rocksdb;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Operations on folders and small files that survive a loss of power. A name is durable once its folder is synced; a
 * replaced file is durable if it is synced before the rename, and its folder after it. Stateless.
 */
final class DurableFiles {

    private DurableFiles() {}

    /** Creates a folder and its missing parents, accessible to their owner only. */
    static void createFolders(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path parent = folder.toAbsolutePath().getParent();
        if (parent != null) {
            createFolders(parent);
        }
        try {
            Files.createDirectory(folder, FilePermissions.ofNewFolder(folder));
        } catch (FileAlreadyExistsException madeMeanwhile) {
            if (!Files.isDirectory(folder)) {
                throw madeMeanwhile;
            }
        }
        if (parent != null) {
            syncFolder(parent);
        }
    }

    /** Replaces a file so that at any time, crashes included, it has either this content or the one before. */
    static void replace(Path file, ByteBuffer content) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(unfinished, CREATE, WRITE, TRUNCATE_EXISTING)) {
            while (content.hasRemaining()) {
                channel.write(content);
            }
            channel.force(true);
        }
        Files.move(unfinished, file, ATOMIC_MOVE);
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            syncFolder(folder);
        }
    }

    /** Makes the names in a folder durable. */
    static void syncFolder(Path folder) throws IOException {
        try (FileChannel names = FileChannel.open(folder, READ)) {
            names.force(true);
        }
    }
}
