package io.taskmaster.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.Base64;

/**
 * A string of bytes with value semantics. Immutable.
 *
 * <p>Equality holds between sequences of the same type only: a PID never equals a queue name. Order is unsigned and byte-wise,
 * and a prefix comes before what it is a prefix of; it is the order of PIDs, of listings, and of rows in every store.
 */
public abstract sealed class ByteSequence permits Bytes, GroupName, Pid, QueueName {

    private final byte[] bytes;
    private int hash;

    ByteSequence(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The length in bytes. */
    public final int size() {
        return bytes.length;
    }

    public final boolean isEmpty() {
        return bytes.length == 0;
    }

    /** The byte at {@code index}, from 0 to 255. */
    public final int at(int index) {
        return bytes[index] & 0xff;
    }

    /** A copy of the bytes, which the caller owns. */
    public final byte[] toByteArray() {
        return bytes.clone();
    }

    /** The bytes themselves, for readers that copy or write them at once. Whoever changes them breaks every map they are in. */
    public final byte[] unsafeArray() {
        return bytes;
    }

    final int compareBytes(ByteSequence other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public final boolean equals(Object other) {
        return this == other
                || (other instanceof ByteSequence that
                        && getClass() == that.getClass()
                        && Arrays.equals(bytes, that.bytes));
    }

    @Override
    public final int hashCode() {
        int h = hash;
        if (h == 0) {
            h = Arrays.hashCode(bytes);
            hash = h;
        }
        return h;
    }

    /** The text if the bytes are UTF-8, otherwise {@code base64:} and their Base64 form. */
    @Override
    public final String toString() {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException notText) {
            return "base64:" + Base64.getEncoder().encodeToString(bytes);
        }
    }
}
