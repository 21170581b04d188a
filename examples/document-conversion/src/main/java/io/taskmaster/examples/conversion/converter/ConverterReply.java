package io.taskmaster.examples.conversion.converter;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;

/** The reply of a converter, on its standard output; one that dies sends none. Immutable. */
sealed interface ConverterReply {

    record Converted(String markdown) implements ConverterReply {}

    record Failed(String reason) implements ConverterReply {}

    default void write(DataOutputStream to) throws IOException {
        switch (this) {
            case Converted(String markdown) -> write(to, true, markdown);
            case Failed(String reason) -> write(to, false, reason);
        }
    }

    private static void write(DataOutputStream to, boolean success, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        to.writeBoolean(success);
        to.writeInt(bytes.length);
        to.write(bytes);
        to.flush();
    }

    static ConverterReply read(DataInputStream from) throws IOException {
        boolean success = from.readBoolean();
        int size = from.readInt();
        byte[] bytes = from.readNBytes(size);
        if (bytes.length < size) {
            throw new EOFException("reply: %d bytes (expected: %d)".formatted(bytes.length, size));
        }
        String text = new String(bytes, UTF_8);
        return success ? new Converted(text) : new Failed(text);
    }
}
