package io.taskmaster.archive;

import com.google.protobuf.CodedOutputStream;
import io.taskmaster.v1.ArchiveRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A writer of an archive as a stream of queues and tasks, with one block in memory. Without {@link #finish()} readers
 * see the archive as truncated. Single-threaded: owned by its caller. Blocks when the stream does.
 */
public final class ArchiveWriter implements AutoCloseable {

    private final OutputStream out;
    private final BlockWriter blocks;
    private final EntryOrder order = new EntryOrder();
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();

    /**
     * Creates a writer, and writes the head of the archive.
     *
     * @param out closed with the writer; it need not be buffered
     */
    public ArchiveWriter(OutputStream out) throws IOException {
        this.out = out;
        this.blocks = new BlockWriter(out);
    }

    /**
     * Writes a queue, or a task of the last queue.
     *
     * @throws IllegalArgumentException if it is out of order, or larger than any task of a server
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

    /** Writes the end record, which makes the archive whole, and flushes. Nothing may be written after it. */
    public void finish() throws IOException {
        write(ArchiveRecord.newBuilder()
                .setEnd(ArchiveRecord.End.newBuilder().setQueues(queues()).setTasks(tasks()))
                .build());
        endBlock();
        out.flush();
    }

    /** The number of queues written. */
    public long queues() {
        return order.queues();
    }

    /** The number of tasks written. */
    public long tasks() {
        return order.tasks();
    }

    /** The number of bytes written; entries in memory do not count. */
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
