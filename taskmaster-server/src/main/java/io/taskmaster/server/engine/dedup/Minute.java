package io.taskmaster.server.engine.dedup;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.taskmaster.model.Bytes;
import io.taskmaster.server.bytes.ByteReader;
import io.taskmaster.server.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one minute, one behind the other in one array, and an open-addressed table of their places. An entry is its key
 * (group and id, each with its length), the time, and the reply with its length. Single-threaded: owned by its {@link DedupWindow}.
 */
final class Minute {

    private static final int MIN_BYTES = 256;
    private static final int MIN_SLOTS = 16;

    /** Seeded anew in each process, so that nobody can choose ids that all meet in one slot. */
    private static final HashFunction HASH = Hashing.goodFastHash(32);

    private byte[] entries = new byte[MIN_BYTES];
    private int size;
    private int stored;

    /** Hash in the upper half, place plus one in the lower; 0: free. */
    private long[] slots = new long[MIN_SLOTS];

    private int count;
    private long newestMillis = Long.MIN_VALUE;

    long newestMillis() {
        return newestMillis;
    }

    long bytes() {
        return entries.length + (long) slots.length * Long.BYTES;
    }

    boolean isDirty() {
        return stored < size;
    }

    /** All of it is stored. */
    void stored() {
        stored = size;
    }

    /** The reply of an entry that is not older than this; null if there is none. */
    @Nullable
    Bytes find(byte[] key, long oldestMillis) {
        int hash = hash(key);
        for (int i = first(hash); slots[i] != 0; i = (i + 1) & (slots.length - 1)) {
            int at = (int) slots[i] - 1;
            if ((int) (slots[i] >>> 32) == hash && hasKey(at, key)) {
                ByteReader in = new ByteReader(entries, at + key.length, size);
                return in.varint() < oldestMillis ? null : Bytes.wrap(in.sized());
            }
        }
        return null;
    }

    /** Adds an entry that is not there. */
    void add(byte[] key, long millis, Bytes reply) {
        byte[] entry = new ByteWriter(key.length + reply.size() + 12)
                .raw(key)
                .varint(millis)
                .sized(reply)
                .finish();
        if (size + entry.length > entries.length) {
            entries = Arrays.copyOf(entries, Math.max(size + entry.length, entries.length + (entries.length >> 1)));
        }
        System.arraycopy(entry, 0, entries, size, entry.length);
        if (3 * ++count > 2 * slots.length) {
            grow();
        }
        place(slots, (long) hash(key) << 32 | (size + 1));
        size += entry.length;
        newestMillis = Math.max(newestMillis, millis);
    }

    /** What is not stored yet, in pieces of whole entries. */
    List<Bytes> take(int pieceBytes) {
        List<Bytes> pieces = new ArrayList<>();
        int begin = stored;
        ByteReader in = new ByteReader(entries, stored, size);
        while (!in.isAtEnd()) {
            in.skipSized();
            in.skipSized();
            in.varint();
            in.skipSized();
            if (in.isAtEnd() || in.position() - begin >= pieceBytes) {
                pieces.add(Bytes.wrap(Arrays.copyOfRange(entries, begin, in.position())));
                begin = in.position();
            }
        }
        stored = size;
        return pieces;
    }

    private void grow() {
        long[] larger = new long[2 * slots.length];
        for (long slot : slots) {
            if (slot != 0) {
                place(larger, slot);
            }
        }
        slots = larger;
    }

    private static void place(long[] table, long slot) {
        int i = (int) (slot >>> 32) & (table.length - 1);
        while (table[i] != 0) {
            i = (i + 1) & (table.length - 1);
        }
        table[i] = slot;
    }

    private int first(int hash) {
        return hash & (slots.length - 1);
    }

    private boolean hasKey(int at, byte[] key) {
        return at + key.length <= size && Arrays.equals(entries, at, at + key.length, key, 0, key.length);
    }

    private static int hash(byte[] key) {
        return HASH.hashBytes(key).asInt();
    }
}
