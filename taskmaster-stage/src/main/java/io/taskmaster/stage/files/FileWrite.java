package io.taskmaster.stage.files;

import io.taskmaster.model.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/**
 * An order to write a file. A file that is created or replaced is there as a whole or not at all: it is written to a
 * temporary file in the same folder, which is then linked or moved to its place. A file that is replaced leaves its
 * permissions to the new one. Immutable.
 *
 * @param isForced whether the content is on the disk, not only in the memory of the operating system, when the reply
 *     says that it is written
 */
public record FileWrite(Path path, Bytes content, Mode mode, boolean isForced) {

    private static final FileAttribute<?>[] NO_ATTRIBUTES = {};

    /** The permissions that the process gives any new file; a temporary file would be accessible to its owner alone. */
    private static final FileAttribute<?>[] OF_ANY_FILE = {
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-rw-rw-"))
    };

    /** The treatment of a file that exists. */
    public enum Mode {
        /** The write fails. Needs a file system with hard links. */
        CREATE,
        /** The file is replaced. */
        REPLACE,
        /** The content is appended. Appends to one file come in any order, unless the stage has one worker. */
        APPEND
    }

    public static FileWrite create(Path path, Bytes content) {
        return new FileWrite(path, content, Mode.CREATE, false);
    }

    public static FileWrite replace(Path path, Bytes content) {
        return new FileWrite(path, content, Mode.REPLACE, false);
    }

    public static FileWrite append(Path path, Bytes content) {
        return new FileWrite(path, content, Mode.APPEND, false);
    }

    /** Returns the same order, forced to the disk. */
    public FileWrite force() {
        return new FileWrite(path, content, mode, true);
    }

    /**
     * Writes in the calling thread, as a {@link FileStage} does in its workers. Blocks.
     *
     * @throws IOException if that is not possible; a file that was to be created or replaced is then as before, unless
     *     only forcing it to the disk has failed
     */
    public void run() throws IOException {
        switch (mode) {
            case APPEND -> write(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            case CREATE, REPLACE -> putInPlace();
        }
    }

    private void putInPlace() throws IOException {
        Path folder = Objects.requireNonNullElse(path.toAbsolutePath().getParent(), path.getRoot());
        boolean hasPermissions = Files.getFileAttributeView(folder, PosixFileAttributeView.class) != null;
        Path temporary = Files.createTempFile(folder, ".", ".part", hasPermissions ? OF_ANY_FILE : NO_ATTRIBUTES);
        try {
            if (hasPermissions && mode == Mode.REPLACE && Files.exists(path)) {
                Files.setPosixFilePermissions(temporary, Files.getPosixFilePermissions(path));
            }
            write(temporary, StandardOpenOption.WRITE);
            if (mode == Mode.CREATE) {
                Files.createLink(path, temporary);
            } else {
                Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
            }
            if (isForced) {
                try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
                    names.force(true);
                }
            }
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private void write(Path to, OpenOption... how) throws IOException {
        try (FileChannel channel = FileChannel.open(to, how)) {
            ByteBuffer remaining = ByteBuffer.wrap(content.unsafeArray());
            while (remaining.hasRemaining()) {
                channel.write(remaining);
            }
            if (isForced) {
                channel.force(true);
            }
        }
    }
}
