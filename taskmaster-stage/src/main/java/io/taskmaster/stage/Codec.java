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
 * How the payload of a task becomes bytes, and back. Thread-safe; does not block.
 *
 * @param <T> the payload
 */
public interface Codec<T> {

    Bytes encode(T payload);

    /**
     * Reads back what {@link #encode} wrote, perhaps an earlier version of it in another process.
     *
     * @throws RuntimeException if that is not what these bytes are; a task with such data goes to the dead letters at once
     */
    T decode(Bytes data);

    /** Bytes as they are. */
    static Codec<Bytes> bytes() {
        return of(Function.identity(), Function.identity());
    }

    /** Text in UTF-8, and nothing else. */
    static Codec<String> utf8() {
        return of(Bytes::of, Codec::text);
    }

    /** Whatever has a text form. */
    static <T> Codec<T> text(Function<T, String> write, Function<String, T> read) {
        return of(payload -> Bytes.of(write.apply(payload)), data -> read.apply(text(data)));
    }

    /** Messages of a protocol buffer. */
    static <T extends MessageLite> Codec<T> protobuf(Parser<T> parser) {
        return of(message -> Bytes.wrap(message.toByteArray()), data -> {
            try {
                return parser.parseFrom(data.unsafeArray());
            } catch (InvalidProtocolBufferException e) {
                throw new IllegalArgumentException("data: %d bytes (expected: a message)".formatted(data.size()), e);
            }
        });
    }

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
