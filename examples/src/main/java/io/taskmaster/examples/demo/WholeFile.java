package io.taskmaster.examples.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/**
 * A writer of files that readers see as a whole or not at all. Two workers may write the same file, if one was taken
 * for dead: each writes a file of its own, which replaces the existing one. Thread-safe.
 */
public final class WholeFile {

    private WholeFile() {}

    /**
     * Writes a file, in a folder that exists. A process that is killed meanwhile leaves a file {@code NAME.UUID.part}
     * behind. Blocks.
     *
     * @throws IOException if that is not possible; the previous file then still exists
     */
    public static void write(Path folder, String name, String text) throws IOException {
        Path part = folder.resolve(name + "." + UUID.randomUUID() + ".part");
        try {
            Files.writeString(part, text);
            Files.move(part, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
