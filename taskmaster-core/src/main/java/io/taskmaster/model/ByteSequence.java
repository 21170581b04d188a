package io.taskmaster.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.Base64;

/**
 * A string of bytes with value semantics. Immutable.
 *
 * <p>Sequences are equal only if they are of the same type: a PID never equals a queue name. The order is unsigned and
 * byte-wise, and a prefix comes before what it is a prefix of. It is the order of PIDs, of listings, and of rows in
 * every store.
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

    /** Returns the byte at {@code index}, from 0 to 255. */
    public final int at(int index) {
        return bytes[index] & 0xff;
    }

    /** Returns a copy of the bytes. */
    public final byte[] toByteArray() {
        return bytes.clone();
    }

    /**
     * Returns the internal array, for readers that copy or write it at once. Changing it breaks every map that contains
     * this sequence.
     */
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
        // The race is benign: every thread computes the same value.
        int h = hash;
        if (h == 0) {
            h = Arrays.hashCode(bytes);
            hash = h;
        }
        return h;
    }

    /** Returns the text if the bytes are UTF-8, otherwise {@code base64:} and their Base64 form. */
    @Override
    public final String toString() {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException notText) {
            return "base64:" + Base64.getEncoder().encodeToString(bytes);
        }
    }
}
