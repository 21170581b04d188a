package io.taskmaster.bench;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A fresh folder that is gone after use. */
record TempFolder(Path path) implements AutoCloseable {

    static TempFolder in(Path parent) {
        try {
            return new TempFolder(Files.createTempDirectory(parent, "taskmaster-bench-"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a folder in " + parent, e);
        }
    }

    /** Whether what is synced there ends in memory, so that durable rows would say nothing. */
    boolean isInMemory() {
        try {
            return Files.getFileStore(path).type().equals("tmpfs");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look at " + path, e);
        }
    }

    @Override
    public void close() {
        try {
            // Nobody else writes here, so there are no links to be tricked by.
            MoreFiles.deleteRecursively(path, RecursiveDeleteOption.ALLOW_INSECURE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + path, e);
        }
    }
}
