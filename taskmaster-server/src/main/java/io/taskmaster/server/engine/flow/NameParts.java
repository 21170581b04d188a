package io.taskmaster.server.engine.flow;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueName;
import java.util.Arrays;

/**
 * A name, cut into parts at its separators. A head of some parts ends with a separator, a tail of some parts begins
 * with one. A name with fewer parts than requested is cut where it can be. Digits at the end count as a part where
 * there is no separator. A name with one part is its own head and tail. The ending of dead-letter queues is no part.
 * Immutable.
 */
final class NameParts {

    /** The set of separators at which a name is cut. */
    enum Separators {
        /**
         * {@code / # : | @} if the name has one of them, since the parts between them have dots and dashes of their
         * own: hosts, versions. Otherwise {@link #ALL}.
         */
        STRONG,
        /** Those, and {@code . _ - , ; =} and spaces. */
        ALL
    }

    private static final boolean[] STRONG = separators("/#:|@");
    private static final boolean[] ALL = separators("/#:|@._-,;= ");

    private final byte[] bytes;

    /** The length without the ending. */
    private final int length;

    private final boolean[] separators;

    private NameParts(byte[] bytes, int length, boolean[] separators) {
        this.bytes = bytes;
        this.length = length;
        this.separators = separators;
    }

    private static boolean[] separators(String characters) {
        boolean[] separators = new boolean[Byte.MAX_VALUE + 1];
        characters.chars().forEach(character -> separators[character] = true);
        return separators;
    }

    static NameParts of(QueueName name, Separators separators) {
        byte[] bytes = name.unsafeArray();
        int length = name.isForDeadLetters() ? bytes.length - QueueName.DEAD_LETTER_ENDING.size() : bytes.length;
        boolean isStrong = separators == Separators.STRONG && headEnd(bytes, length, STRONG, 1) < length;
        return new NameParts(bytes, length, isStrong ? STRONG : ALL);
    }

    /** Returns the end of a head of this many parts: the length if there is one part. */
    int headEnd(int parts) {
        int end = headEnd(bytes, length, separators, parts);
        return end == length ? startOfDigits() : end;
    }

    /**
     * Returns the end of a head: behind a separator that has something before it and behind it; the length if there is
     * none.
     */
    private static int headEnd(byte[] bytes, int length, boolean[] separators, int parts) {
        int end = length;
        int remaining = parts;
        for (int i = 1; i < length - 1 && remaining > 0; i++) {
            if (isIn(separators, bytes[i])) {
                end = i + 1;
                remaining--;
            }
        }
        return end;
    }

    /** Returns the start of a tail of this many parts: 0 if there is one part. */
    int tailStart(int parts) {
        int start = 0;
        int remaining = parts;
        for (int i = length - 2; i > 0 && remaining > 0; i--) {
            if (isIn(separators, bytes[i])) {
                start = i;
                remaining--;
            }
        }
        return start == 0 ? startOfDigits() % length() : start;
    }

    private int length() {
        return Math.max(1, length);
    }

    /** Returns the start of the digits at the end; the length if there are none, or if there is nothing else. */
    private int startOfDigits() {
        int start = length;
        while (start > 0 && bytes[start - 1] >= '0' && bytes[start - 1] <= '9') {
            start--;
        }
        return start == 0 ? length : start;
    }

    private static boolean isIn(boolean[] separators, byte character) {
        return character > 0 && separators[character];
    }

    boolean isSinglePart() {
        return headEnd(1) == length;
    }

    /** Returns all of the name but its ending. */
    Bytes base() {
        return part(0, length);
    }

    Bytes head(int parts) {
        return part(0, headEnd(parts));
    }

    Bytes tail(int parts) {
        return part(tailStart(parts), length);
    }

    /** Returns the tail, and the ending behind it. */
    Bytes tailAndEnding(int parts) {
        return part(tailStart(parts), bytes.length);
    }

    /** Returns {@link QueueName#DEAD_LETTER_ENDING}, or empty. */
    Bytes ending() {
        return part(length, bytes.length);
    }

    private Bytes part(int from, int to) {
        return from == to ? Bytes.EMPTY : Bytes.wrap(Arrays.copyOfRange(bytes, from, to));
    }

    /** Returns a hash of a head, which almost certainly differs from that of another head. */
    long headHash(int parts) {
        return hash(0, headEnd(parts));
    }

    /** Returns a hash of a tail, which almost certainly differs from that of another tail. */
    long tailHash(int parts) {
        return hash(tailStart(parts), length);
    }

    private long hash(int from, int to) {
        return hash(bytes, from, to);
    }

    /** Returns the 64-bit FNV-1a hash of Fowler, Noll and Vo. */
    static long hash(byte[] bytes, int from, int to) {
        long hash = 0xcbf29ce484222325L;
        for (int i = from; i < to; i++) {
            hash = (hash ^ bytes[i]) * 0x100000001b3L;
        }
        return hash;
    }
}
