package io.taskmaster.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.taskmaster.model.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.Objects;

/** The golden files: stored bytes, one format per file, in hexadecimal, with blanks for readability. */
public final class Golden {

    private Golden() {}

    /**
     * Reads a golden file.
     *
     * @param name the name of the file below {@code golden}, without its ending
     */
    public static Bytes golden(String name) {
        try (InputStream in =
                Objects.requireNonNull(Golden.class.getResourceAsStream("/golden/" + name + ".hex"), name)) {
            String text = new String(in.readAllBytes(), UTF_8);
            return Bytes.wrap(HexFormat.of().parseHex(text.replaceAll("\\s", "")));
        } catch (IOException unreadable) {
            throw new AssertionError(name, unreadable);
        }
    }
}
