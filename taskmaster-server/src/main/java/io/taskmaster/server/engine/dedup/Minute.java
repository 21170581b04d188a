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
 * The entries of one minute, one behind the other in one array, with an open-addressed hash table of their positions.
 * An entry is its key (group and id, each with its length), the time, and the reply with its length. Of the entries of
 * one key the newest counts: there are several where the window is shorter than a minute. Single-threaded: owned by its
 * {@link DedupWindow}.
 */
final class Minute {

    private static final int MIN_BYTES = 256;
    private static final int MIN_SLOTS = 16;

    /** The hash function, seeded anew in each process, so that a client cannot choose ids that all collide. */
    private static final HashFunction HASH = Hashing.goodFastHash(32);

    private byte[] entries = new byte[MIN_BYTES];
    private int size;
    private int stored;

    /** The hash table: hash in the upper half of a slot, position plus one in the lower; 0: free. */
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

    /** Marks all of it as stored. */
    void stored() {
        stored = size;
    }

    /** Returns the reply of the entry with this key, if it is not older than this; null if there is none. */
    @Nullable
    Bytes find(byte[] key, long oldestMillis) {
        int slot = slotOf(key, hash(key));
        if (slots[slot] == 0) {
            return null;
        }
        ByteReader in = valueAt(slot, key);
        return in.varint() < oldestMillis ? null : Bytes.wrap(in.sized());
    }

    /**
     * Adds an entry, in place of an older one with its key. One that is no newer than what is there changes nothing.
     */
    void add(byte[] key, long millis, Bytes reply) {
        int hash = hash(key);
        int slot = slotOf(key, hash);
        boolean isNew = slots[slot] == 0;
        if (!isNew && valueAt(slot, key).varint() >= millis) {
            return;
        }
        long place = (long) hash << 32 | (size + 1);
        append(new ByteWriter(key.length + reply.size() + 12)
                .raw(key)
                .varint(millis)
                .sized(reply)
                .finish());
        newestMillis = Math.max(newestMillis, millis);
        if (!isNew) {
            slots[slot] = place;
            // At most two thirds of the slots are in use, so that probe sequences stay short.
        } else if (3 * ++count > 2 * slots.length) {
            grow();
            // The slot that was found belongs to the old table.
            place(slots, place);
        } else {
            slots[slot] = place;
        }
    }

    private void append(byte[] entry) {
        if (size + entry.length > entries.length) {
            entries = Arrays.copyOf(entries, Math.max(size + entry.length, entries.length + (entries.length >> 1)));
        }
        System.arraycopy(entry, 0, entries, size, entry.length);
        size += entry.length;
    }

    /** Takes what is not stored yet, in pieces of whole entries. */
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

    /** Returns the slot of a key, or the free one in which it belongs. */
    private int slotOf(byte[] key, int hash) {
        int slot = hash & (slots.length - 1);
        while (slots[slot] != 0 && !((int) (slots[slot] >>> 32) == hash && hasKey((int) slots[slot] - 1, key))) {
            slot = (slot + 1) & (slots.length - 1);
        }
        return slot;
    }

    /** Returns a reader at time and reply of the entry in a slot. */
    private ByteReader valueAt(int slot, byte[] key) {
        return new ByteReader(entries, (int) slots[slot] - 1 + key.length, size);
    }

    private boolean hasKey(int at, byte[] key) {
        return at + key.length <= size && Arrays.equals(entries, at, at + key.length, key, 0, key.length);
    }

    private static int hash(byte[] key) {
        return HASH.hashBytes(key).asInt();
    }
}
