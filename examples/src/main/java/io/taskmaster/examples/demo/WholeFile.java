package io.taskmaster.examples.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/**
 * A file that others see whole or not at all. Two workers may write the same one, if one was taken for dead: each writes a file of its own, which
 * takes the place of what is there. Thread-safe.
 */
public final class WholeFile {

    private WholeFile() {}

    /**
     * Writes it, in a folder that is there. A process that is killed meanwhile leaves a file {@code NAME.UUID.part} behind.
     *
     * @throws IOException if that is not possible; what was there before still is
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
