package io.taskmaster.server.engine.flow;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueName;
import java.util.Arrays;
import java.util.BitSet;

/**
 * A name, cut at its separators: the first part with the separator behind it, the last one with the separator before it. Digits at the end count as a part
 * where there is no separator. What has one part is its own first and last. The ending of dead letters is no part. Immutable.
 *
 * @param first with its separator
 * @param last with its separator
 * @param isWhole whether there is one part
 * @param ending {@link #DEAD}, or empty
 */
record NameParts(Bytes first, Bytes last, boolean isWhole, Bytes ending) {

    /** How names of queues of dead letters end. */
    static final Bytes DEAD = Bytes.of(".dead");

    private static final BitSet SEPARATORS = separators("/.:_-|#@,;= ");

    private static BitSet separators(String characters) {
        BitSet separators = new BitSet();
        characters.chars().forEach(separators::set);
        return separators;
    }

    static NameParts of(QueueName name) {
        byte[] bytes = name.unsafeArray();
        boolean isDead = endsWith(bytes, DEAD.unsafeArray());
        int length = isDead ? bytes.length - DEAD.size() : bytes.length;
        Bytes ending = isDead ? DEAD : Bytes.EMPTY;
        int first = endOfFirst(bytes, length);
        int last = startOfLast(bytes, length);
        if (first == length || last == 0) {
            first = startOfDigits(bytes, length);
            last = first;
        }
        if (first == length || last == 0) {
            Bytes whole = part(bytes, 0, length);
            return new NameParts(whole, whole, true, ending);
        }
        return new NameParts(part(bytes, 0, first), part(bytes, last, length), false, ending);
    }

    private static boolean endsWith(byte[] bytes, byte[] ending) {
        int from = bytes.length - ending.length;
        return from > 0 && Arrays.equals(bytes, from, bytes.length, ending, 0, ending.length);
    }

    /** Behind the first separator that has something before it; the length if there is none, or nothing behind it. */
    private static int endOfFirst(byte[] bytes, int length) {
        for (int i = 1; i < length - 1; i++) {
            if (isSeparator(bytes[i])) {
                return i + 1;
            }
        }
        return length;
    }

    /** Where the last separator is that has something behind it; 0 if there is none, or nothing before it. */
    private static int startOfLast(byte[] bytes, int length) {
        for (int i = length - 2; i > 0; i--) {
            if (isSeparator(bytes[i])) {
                return i;
            }
        }
        return 0;
    }

    private static int startOfDigits(byte[] bytes, int length) {
        int start = length;
        while (start > 0 && bytes[start - 1] >= '0' && bytes[start - 1] <= '9') {
            start--;
        }
        return start;
    }

    private static boolean isSeparator(byte character) {
        return character > 0 && SEPARATORS.get(character);
    }

    private static Bytes part(byte[] bytes, int from, int to) {
        return Bytes.wrap(Arrays.copyOfRange(bytes, from, to));
    }
}
