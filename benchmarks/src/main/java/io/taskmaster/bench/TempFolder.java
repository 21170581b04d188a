package io.taskmaster.bench;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A fresh folder that is deleted when it is closed. */
record TempFolder(Path path) implements AutoCloseable {

    static TempFolder in(Path parent) {
        try {
            return new TempFolder(Files.createTempDirectory(parent, "taskmaster-bench-"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a folder in " + parent, e);
        }
    }

    /** Returns whether the folder is in memory: then nothing is synced to a disk, and durable rows say nothing. */
    boolean isInMemory() {
        try {
            return Files.getFileStore(path).type().equals("tmpfs");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }

    @Override
    public void close() {
        try {
            // Only processes of this run write here, so no planted symbolic link can redirect the deletion.
            MoreFiles.deleteRecursively(path, RecursiveDeleteOption.ALLOW_INSECURE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + path, e);
        }
    }
}
