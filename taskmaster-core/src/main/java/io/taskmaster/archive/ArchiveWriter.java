package io.taskmaster.archive;

import com.google.protobuf.CodedOutputStream;
import io.taskmaster.v1.ArchiveRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Queues with their tasks into an archive, as a stream: in memory is one block. What is closed without {@link #finish()} is known to its readers as
 * cut. Single-threaded: owned by whoever writes; blocks where the stream does.
 */
public final class ArchiveWriter implements AutoCloseable {

    private final OutputStream out;
    private final BlockWriter blocks;
    private final EntryOrder order = new EntryOrder();
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();

    /**
     * Writes the head of the archive.
     *
     * @param out closed with the writer; it need not be buffered
     */
    public ArchiveWriter(OutputStream out) throws IOException {
        this.out = out;
        this.blocks = new BlockWriter(out);
    }

    /**
     * A queue, or a task of the last queue.
     *
     * @throws IllegalArgumentException if it does not come behind the one before, or is larger than any task of a server
     */
    public void write(ArchiveEntry entry) throws IOException {
        ArchiveRecord message = RecordMapper.record(entry);
        int length = message.getSerializedSize();
        if (CodedOutputStream.computeUInt32SizeNoTag(length) + length > ArchiveFormat.MAX_CONTENT_BYTES) {
            throw new IllegalArgumentException("entry: %d bytes (expected: a little less than %d)"
                    .formatted(length, ArchiveFormat.MAX_CONTENT_BYTES));
        }
        order.next(entry);
        write(message);
    }

    /** Writes what says that the archive is whole, and flushes. Nothing may be written after it. */
    public void finish() throws IOException {
        write(ArchiveRecord.newBuilder()
                .setEnd(ArchiveRecord.End.newBuilder().setQueues(queues()).setTasks(tasks()))
                .build());
        endBlock();
        out.flush();
    }

    public long queues() {
        return order.queues();
    }

    public long tasks() {
        return order.tasks();
    }

    /** How many bytes the archive has so far; what is in memory is not in it. */
    public long bytes() {
        return blocks.written();
    }

    private void write(ArchiveRecord message) throws IOException {
        int length = message.getSerializedSize();
        if (content.size() > 0 && content.size() + length > ArchiveFormat.USUAL_CONTENT_BYTES) {
            endBlock();
        }
        message.writeDelimitedTo(content);
    }

    private void endBlock() throws IOException {
        blocks.write(content.toByteArray());
        content.reset();
    }

    /** Closes the stream. Idempotent. */
    @Override
    public void close() throws IOException {
        blocks.close();
        out.close();
    }
}
