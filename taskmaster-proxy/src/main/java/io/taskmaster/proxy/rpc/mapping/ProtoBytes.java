package io.taskmaster.proxy.rpc.mapping;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.taskmaster.model.ByteSequence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Conversion between the byte strings of the contract and of the model, without a copy. Both are immutable, and no code
 * keeps the arrays to change them, so the array of the one may serve the other. A task of 16 MiB is copied only where
 * the network needs it. Thread-safe: stateless.
 */
public final class ProtoBytes {

    private static final byte[] EMPTY = {};

    private ProtoBytes() {}

    /**
     * Returns the bytes of a value, which must not be changed: its own array if that holds nothing else, else a copy.
     */
    public static byte[] arrayOf(ByteString value) {
        if (value.isEmpty()) {
            return EMPTY;
        }
        var capture = new Capture();
        try {
            UnsafeByteOperations.unsafeWriteTo(value, capture);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        byte[] wholeArray = capture.wholeArray;
        return wholeArray != null && wholeArray.length == value.size() ? wholeArray : value.toByteArray();
    }

    public static ByteString of(ByteSequence value) {
        return value.isEmpty() ? ByteString.EMPTY : UnsafeByteOperations.unsafeWrap(value.unsafeArray());
    }

    /** An output that keeps the array that it is passed last, if the array may be kept and holds nothing else. */
    private static final class Capture extends ByteOutput {

        private byte @Nullable [] wholeArray;

        @Override
        public void writeLazy(byte[] value, int offset, int length) {
            wholeArray = offset == 0 && length == value.length ? value : null;
        }

        // Only writeLazy() passes arrays that may be kept. A value that comes in any other way is copied.
        @Override
        public void write(byte value) {}

        @Override
        public void write(byte[] value, int offset, int length) {}

        @Override
        public void write(ByteBuffer value) {}

        @Override
        public void writeLazy(ByteBuffer value) {}
    }
}
