package io.taskmaster.archive;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;

/** An encoder of the blocks of an archive. Single-threaded: owned by its caller. */
final class BlockWriter implements AutoCloseable {

    private final OutputStream out;
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    private final CRC32C checksum = new CRC32C();
    private byte[] stored = new byte[0];
    private long written;

    /** Creates an encoder, and writes magic bytes and version. */
    BlockWriter(OutputStream out) throws IOException {
        this.out = out;
        byte[] head = ByteBuffer.allocate(ArchiveFormat.HEAD_BYTES)
                .put(ArchiveFormat.magic())
                .put(ArchiveFormat.VERSION)
                .array();
        checksum.update(head);
        write(head, head.length);
    }

    /**
     * Writes a block.
     *
     * @param content up to {@link ArchiveFormat#MAX_CONTENT_BYTES}
     */
    void write(byte[] content) throws IOException {
        int length = deflate(content);
        byte[] lengths = ByteBuffer.allocate(ArchiveFormat.LENGTHS_BYTES)
                .putInt(length)
                .putInt(content.length)
                .array();
        checksum.update(lengths);
        checksum.update(stored, 0, length);
        write(lengths, lengths.length);
        write(stored, length);
        byte[] checksumBytes = ByteBuffer.allocate(ArchiveFormat.CHECKSUM_BYTES)
                .putInt((int) checksum.getValue())
                .array();
        write(checksumBytes, checksumBytes.length);
    }

    long written() {
        return written;
    }

    private int deflate(byte[] content) {
        deflater.reset();
        deflater.setInput(content);
        deflater.finish();
        int length = 0;
        while (!deflater.finished()) {
            if (length == stored.length) {
                stored = Arrays.copyOf(stored, Math.max(ArchiveFormat.USUAL_CONTENT_BYTES, 2 * length));
            }
            length += deflater.deflate(stored, length, stored.length - length);
        }
        return length;
    }

    private void write(byte[] bytes, int length) throws IOException {
        out.write(bytes, 0, length);
        written += length;
    }

    @Override
    public void close() {
        deflater.end();
    }
}
