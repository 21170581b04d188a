package io.taskmaster.server.partition.log.row;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.bytes.LaterFormatException;
import io.taskmaster.server.partition.log.row.LogRow.Fragment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The codec of log rows. Numbers are big-endian:
 *
 * <pre>
 *   1  format version
 *   1  kind: 0 atoms, 1 fence
 *  16  nonce: of the writer, or of the owner that fences
 *   4  CRC32C over the row's key and over all of the row but these four bytes
 *      then, for each fragment of an atom:
 *   1  flags: 1 first, 2 last
 *   8  ticket
 *   4  length
 *      bytes
 * </pre>
 *
 * <p>The checksum covers the key, so a row under the wrong key is detected. It tells a row of a later format from a
 * damaged one, so later formats must keep version and checksum where they are.
 */
public final class LogRowCodec {

    static final byte VERSION = 1;
    static final byte KIND_ATOMS = 0;
    static final byte KIND_FENCE = 1;
    static final int CHECKSUM_OFFSET = 2 + Nonce.BYTES;
    public static final int HEADER_BYTES = CHECKSUM_OFFSET + Integer.BYTES;
    static final int FRAGMENT_HEADER_BYTES = 1 + Long.BYTES + Integer.BYTES;
    static final int FLAG_FIRST = 1;
    static final int FLAG_LAST = 2;

    /** The smallest row that holds at least one byte of an atom. */
    static final int MIN_ROW_BYTES = HEADER_BYTES + FRAGMENT_HEADER_BYTES + 1;

    private LogRowCodec() {}

    public static Bytes fence(LogKey key, Nonce owner) {
        byte[] row = new byte[HEADER_BYTES];
        putHeader(ByteBuffer.wrap(row), KIND_FENCE, owner);
        seal(row, row.length, key, new CRC32C());
        return Bytes.wrap(row);
    }

    /** Writes the header, with a checksum of zero. */
    static void putHeader(ByteBuffer row, byte kind, Nonce nonce) {
        row.put(VERSION).put(kind);
        nonce.write(row);
        row.putInt(0);
    }

    /** Writes the checksum of the row in the first {@code length} bytes. */
    public static void seal(byte[] row, int length, LogKey key, CRC32C checksum) {
        ByteBuffer.wrap(row).putInt(CHECKSUM_OFFSET, checksumOf(row, length, key, checksum));
    }

    /**
     * Decodes a row.
     *
     * @throws CorruptLogException if the bytes are not a valid row of a known version under this key
     */
    public static LogRow decode(LogKey key, Bytes value) {
        byte[] row = value.unsafeArray();
        check(row.length >= HEADER_BYTES, key, "it is truncated");
        ByteBuffer in = ByteBuffer.wrap(row);
        boolean isIntact = in.getInt(CHECKSUM_OFFSET) == checksumOf(row, row.length, key, new CRC32C());
        if (isIntact && row[0] > VERSION) {
            var later = new LaterFormatException(row[0], VERSION);
            throw new CorruptLogException(key + ": " + later.getMessage(), later);
        }
        check(row[0] == VERSION, key, "its format version " + row[0] + " is not known");
        check(isIntact, key, "its checksum does not match");
        in.position(2);
        Nonce nonce = Nonce.read(in);
        return switch (row[1]) {
            case KIND_ATOMS -> new LogRow.Atoms(nonce, fragments(key, row));
            case KIND_FENCE -> new LogRow.Fence(nonce);
            default -> throw corrupt(key, "its kind " + row[1] + " is not known");
        };
    }

    public static CorruptLogException corrupt(LogKey key, String reason) {
        return new CorruptLogException(key + " is corrupt: " + reason);
    }

    private static List<Fragment> fragments(LogKey key, byte[] row) {
        ByteBuffer in = ByteBuffer.wrap(row).position(HEADER_BYTES);
        List<Fragment> fragments = new ArrayList<>();
        while (in.hasRemaining()) {
            check(in.remaining() >= FRAGMENT_HEADER_BYTES, key, "a fragment is truncated");
            int flags = in.get();
            long ticket = in.getLong();
            int length = in.getInt();
            check(length >= 0 && length <= in.remaining(), key, "a fragment is truncated");
            int from = in.position();
            Bytes bytes = Bytes.wrap(Arrays.copyOfRange(row, from, from + length));
            fragments.add(new Fragment(ticket, (flags & FLAG_FIRST) != 0, (flags & FLAG_LAST) != 0, bytes));
            in.position(from + length);
        }
        return fragments;
    }

    private static int checksumOf(byte[] row, int length, LogKey key, CRC32C checksum) {
        checksum.reset();
        checksum.update(key.row().unsafeArray());
        checksum.update(row, 0, CHECKSUM_OFFSET);
        checksum.update(row, HEADER_BYTES, length - HEADER_BYTES);
        return (int) checksum.getValue();
    }

    private static void check(boolean holds, LogKey key, String otherwise) {
        if (!holds) {
            throw corrupt(key, otherwise);
        }
    }
}
