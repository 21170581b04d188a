package io.taskmaster.archive;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.InvalidProtocolBufferException;
import io.taskmaster.v1.ArchiveRecord;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.util.Optional;

/**
 * A reader of an archive as a stream of queues and tasks, with one block in memory. An entry is returned only after the
 * checksum of its block, and so of everything before it, has matched. The archive is known to be whole when the entries
 * end. Files may come from untrusted sources: a hostile one is refused, and until then takes memory for a few blocks of
 * 32 MiB at most. Single-threaded: owned by its caller. Blocks when the stream does.
 */
public final class ArchiveReader implements AutoCloseable {

    private final BlockReader blocks;
    private final EntryOrder order = new EntryOrder();
    private CodedInputStream content = CodedInputStream.newInstance(new byte[0]);
    private boolean ended;

    /**
     * Creates a reader. Reads nothing yet.
     *
     * @param in closed with the reader; it need not be buffered
     */
    public ArchiveReader(InputStream in) {
        this.blocks = new BlockReader(in);
    }

    /**
     * Returns the next queue, or the next task of the last one; empty after the last entry of a whole archive.
     *
     * @throws ArchiveException if the archive is not whole; after that nothing more can be read
     */
    public Optional<ArchiveEntry> next() throws IOException {
        if (ended) {
            return Optional.empty();
        }
        try {
            ArchiveRecord message = message();
            return switch (message.getKindCase()) {
                case QUEUE -> Optional.of(inOrder(RecordMapper.entry(message.getQueue())));
                case TASK -> Optional.of(inOrder(RecordMapper.entry(message.getTask())));
                case END -> {
                    end(message.getEnd());
                    yield Optional.empty();
                }
                case KIND_NOT_SET ->
                    throw new IllegalArgumentException("record: unknown kind (expected: queue, task or end)");
            };
        } catch (InvalidProtocolBufferException | IllegalArgumentException | DateTimeException e) {
            throw blocks.damaged("in this block: " + e.getMessage());
        }
    }

    private ArchiveRecord message() throws IOException {
        if (content.isAtEnd()) {
            content = CodedInputStream.newInstance(blocks.next());
        }
        return content.readMessage(ArchiveRecord.parser(), ExtensionRegistryLite.getEmptyRegistry());
    }

    private ArchiveEntry inOrder(ArchiveEntry entry) {
        order.next(entry);
        return entry;
    }

    private void end(ArchiveRecord.End end) throws IOException {
        if (end.getQueues() != queues() || end.getTasks() != tasks()) {
            throw new IllegalArgumentException("end: %s queues, %s tasks (expected: %d and %d, as read before)"
                    .formatted(
                            Long.toUnsignedString(end.getQueues()),
                            Long.toUnsignedString(end.getTasks()),
                            queues(),
                            tasks()));
        }
        if (!content.isAtEnd()) {
            throw new IllegalArgumentException("record: after the end record (expected: none)");
        }
        blocks.end();
        ended = true;
    }

    /** The number of queues read. */
    public long queues() {
        return order.queues();
    }

    /** The number of tasks read. */
    public long tasks() {
        return order.tasks();
    }

    /** The number of bytes read; at the end, the length of the archive. */
    public long bytes() {
        return blocks.offset();
    }

    /** Closes the stream. Idempotent. */
    @Override
    public void close() throws IOException {
        blocks.close();
    }
}
