package io.taskmaster.archive;

import io.taskmaster.archive.ArchiveException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A decoder of the blocks of an archive. It trusts no input: it compares each length with its limit, checks the
 * checksum before it inflates, and allocates no memory for bytes that do not arrive. Single-threaded: owned by its
 * caller.
 */
final class BlockReader implements AutoCloseable {

    private final InputStream in;
    private final Inflater inflater = new Inflater();
    private final CRC32C checksum = new CRC32C();
    private long offset;
    private long blockOffset;
    private boolean begun;

    BlockReader(InputStream in) {
        this.in = in;
    }

    /** The number of bytes read, including the last block. */
    long offset() {
        return offset;
    }

    /** Returns the content of the next block. */
    byte[] next() throws IOException {
        if (!begun) {
            begin();
        }
        blockOffset = offset;
        ByteBuffer lengths = ByteBuffer.wrap(read(ArchiveFormat.LENGTHS_BYTES));
        int storedLength = length("stored", lengths.getInt(), ArchiveFormat.MAX_STORED_BYTES);
        int contentLength = length("content", lengths.getInt(), ArchiveFormat.MAX_CONTENT_BYTES);
        byte[] stored = read(storedLength);
        checksum.update(lengths.flip());
        checksum.update(stored);
        int expected = (int) checksum.getValue();
        int found = ByteBuffer.wrap(read(ArchiveFormat.CHECKSUM_BYTES)).getInt();
        if (found != expected) {
            throw damaged("checksum of a block: %08x (expected: %08x)".formatted(found, expected));
        }
        return inflate(stored, contentLength);
    }

    /** Checks that nothing follows the last block. */
    void end() throws IOException {
        if (in.read() >= 0) {
            throw new ArchiveException(Reason.DAMAGED, offset, "bytes after the end (expected: none)");
        }
    }

    /** Returns the error of a corrupt block: the last one that was read. */
    ArchiveException damaged(String field) {
        return new ArchiveException(Reason.DAMAGED, blockOffset, field);
    }

    private void begin() throws IOException {
        byte[] head = in.readNBytes(ArchiveFormat.HEAD_BYTES);
        byte[] magic = ArchiveFormat.magic();
        int comparable = Math.min(head.length, magic.length);
        if (!Arrays.equals(head, 0, comparable, magic, 0, comparable)) {
            throw new ArchiveException(Reason.NOT_AN_ARCHIVE, 0, "not an archive of TaskMaster");
        }
        if (head.length < ArchiveFormat.HEAD_BYTES) {
            throw truncated();
        }
        byte version = head[magic.length];
        if (version != ArchiveFormat.VERSION) {
            throw new ArchiveException(
                    Reason.UNKNOWN_VERSION,
                    magic.length,
                    "version: %d (expected: %d)".formatted(Byte.toUnsignedInt(version), ArchiveFormat.VERSION));
        }
        checksum.update(head);
        offset = head.length;
        begun = true;
    }

    private byte[] read(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        offset += bytes.length;
        if (bytes.length < length) {
            throw truncated();
        }
        return bytes;
    }

    private ArchiveException truncated() {
        return new ArchiveException(
                Reason.CUT,
                blockOffset,
                "truncated: the file ends here, or in the block that starts here (expected: an end record)");
    }

    private int length(String field, int value, int max) throws ArchiveException {
        if (value <= 0 || value > max) {
            throw damaged("%s length of a block: %s (expected: 1 to %d)"
                    .formatted(field, Integer.toUnsignedString(value), max));
        }
        return value;
    }

    private byte[] inflate(byte[] stored, int length) throws ArchiveException {
        byte[] content = new byte[length];
        inflater.reset();
        inflater.setInput(stored);
        try {
            int inflated = inflater.inflate(content);
            // The inflater reports its end only if there is free space for one more byte.
            int more = inflater.inflate(new byte[1]);
            if (inflated < length || more > 0 || !inflater.finished() || inflater.getRemaining() > 0) {
                throw damaged(
                        "content of a block: wrong length (expected: %d bytes, as its header says)".formatted(length));
            }
        } catch (DataFormatException e) {
            throw damaged("content of a block: %s (expected: zlib data)".formatted(e.getMessage()));
        }
        return content;
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        in.close();
    }
}
