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
 * Folders and small files that are there after a loss of power: a name is durable once the folder that has it is synced, and a file that
 * replaces another once that happened after its content was. Stateless.
 */
final class Durably {

    private Durably() {}

    /** Makes a folder, and those that it is in, if they are missing; only its owner gets into it. */
    static void createFolders(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path parent = folder.toAbsolutePath().getParent();
        if (parent != null) {
            createFolders(parent);
        }
        try {
            Files.createDirectory(folder, Privacy.ofNewFolder(folder));
        } catch (FileAlreadyExistsException madeMeanwhile) {
            if (!Files.isDirectory(folder)) {
                throw madeMeanwhile;
            }
        }
        if (parent != null) {
            syncFolder(parent);
        }
    }

    /** Has a file with this content, or the one before it, under all circumstances. */
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
