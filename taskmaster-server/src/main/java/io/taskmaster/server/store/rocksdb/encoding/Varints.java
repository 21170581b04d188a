package io.taskmaster.server.store.rocksdb.encoding;

/**
 * The codec of non-negative numbers in unsigned LEB128: seven bits per byte, lowest first, with the high bit set on all
 * but the last. Stateless.
 */
public final class Varints {

    /** The length of the largest number. */
    static final int MAX_BYTES = 9;

    private Varints() {}

    /** Returns the encoded length of a number. */
    public static int bytes(long value) {
        return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7);
    }

    /** Writes a number and returns the position after it. */
    public static int put(byte[] target, int position, long value) {
        int next = position;
        long remaining = value;
        while (remaining >= 0x80) {
            target[next++] = (byte) (remaining | 0x80);
            remaining >>>= 7;
        }
        target[next++] = (byte) remaining;
        return next;
    }

    public static long get(byte[] source, int position) {
        long value = 0;
        for (int i = 0; i < MAX_BYTES && position + i < source.length; i++) {
            byte next = source[position + i];
            value |= (long) (next & 0x7f) << (7 * i);
            if (next >= 0) {
                return value;
            }
        }
        throw new CorruptCellException("number: does not end (expected: at most " + MAX_BYTES + " bytes)");
    }
}
