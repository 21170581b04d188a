package io.taskmaster.stage;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.taskmaster.model.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.function.Function;

/**
 * An encoding of payloads as bytes. Thread-safe; must not block.
 *
 * @param <T> the payload
 */
public interface Codec<T> {

    /** Encodes a payload. */
    Bytes encode(T payload);

    /**
     * Decodes the output of {@link #encode}, perhaps of an earlier version in another process.
     *
     * @throws RuntimeException if the bytes are not such output; a task with such data becomes a dead letter at once
     */
    T decode(Bytes data);

    /** Returns the codec of plain bytes. */
    static Codec<Bytes> bytes() {
        return of(Function.identity(), Function.identity());
    }

    /** Returns the codec of strings in UTF-8. Bytes that are not UTF-8 are refused. */
    static Codec<String> utf8() {
        return of(Bytes::of, Codec::text);
    }

    /** Returns a codec of values by their text form, in UTF-8. */
    static <T> Codec<T> text(Function<T, String> write, Function<String, T> read) {
        return of(payload -> Bytes.of(write.apply(payload)), data -> read.apply(text(data)));
    }

    /** Returns the codec of a protocol buffer message. */
    static <T extends MessageLite> Codec<T> protobuf(Parser<T> parser) {
        return of(message -> Bytes.wrap(message.toByteArray()), data -> {
            try {
                return parser.parseFrom(data.unsafeArray());
            } catch (InvalidProtocolBufferException e) {
                throw new IllegalArgumentException(
                        "data: %d bytes (expected: a Protocol Buffers message)".formatted(data.size()), e);
            }
        });
    }

    /** Returns a codec of two functions. A function that cannot decode its bytes throws an unchecked exception. */
    static <T> Codec<T> of(Function<T, Bytes> encode, Function<Bytes, T> decode) {
        return new Codec<>() {
            @Override
            public Bytes encode(T payload) {
                return encode.apply(payload);
            }

            @Override
            public T decode(Bytes data) {
                return decode.apply(data);
            }
        };
    }

    private static String text(Bytes data) {
        try {
            return UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(data.unsafeArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("data: %d bytes (expected: UTF-8)".formatted(data.size()), e);
        }
    }
}
