package io.taskmaster.cli.common;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.taskmaster.model.ByteSequence;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import picocli.CommandLine.TypeConversionException;

/**
 * Text form of byte strings on the command line: UTF-8 text, or {@code base64:} and the bytes in Base64. It
 * round-trips: {@link #parse} reads whatever this class writes. Bytes that would break a line are written in Base64.
 * Thread-safe: stateless.
 */
public final class ByteText {

    private static final String PREFIX = "base64:";

    private ByteText() {}

    public static byte[] parse(String text) {
        if (!text.startsWith(PREFIX)) {
            return text.getBytes(UTF_8);
        }
        try {
            return Base64.getDecoder().decode(text.substring(PREFIX.length()));
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'" + text + "' is not Base64 after " + PREFIX);
        }
    }

    /** Returns the bytes for a line of text: without control characters. */
    public static String line(ByteSequence bytes) {
        String text = text(bytes);
        return text.chars().anyMatch(Character::isISOControl) ? encode(bytes) : text;
    }

    /** Returns the bytes for JSON, which can carry any text. */
    static String text(ByteSequence bytes) {
        try {
            String text = UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(bytes.unsafeArray()))
                    .toString();
            return text.startsWith(PREFIX) ? encode(bytes) : text;
        } catch (CharacterCodingException notText) {
            return encode(bytes);
        }
    }

    /** Returns the bytes in Base64, whether they are text or not. */
    static String encode(ByteSequence bytes) {
        return PREFIX + Base64.getEncoder().encodeToString(bytes.unsafeArray());
    }
}
