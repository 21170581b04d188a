package io.taskmaster.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.sun.management.ThreadMXBean;
import io.taskmaster.archive.ArchiveException.Reason;
import io.taskmaster.v1.ArchiveRecord;
import io.taskmaster.v1.QueueOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/**
 * Tests of forged archives with matching checksums: each ends in an error that names the place, and none causes an
 * allocation for bytes that it only announces.
 */
final class HostileArchiveTest {

    private static final ArchiveRecord QUEUE = ArchiveRecord.newBuilder()
            .setQueue(ArchiveRecord.Queue.newBuilder().setName(ByteString.copyFromUtf8("q")))
            .build();

    private static final ArchiveRecord TASK = ArchiveRecord.newBuilder()
            .setTask(ArchiveRecord.Task.newBuilder().setPid(ByteString.copyFromUtf8("p")))
            .build();

    private static final ArchiveRecord END = ArchiveRecord.newBuilder()
            .setEnd(ArchiveRecord.End.newBuilder().setQueues(1).setTasks(1))
            .build();

    @Test
    void whatThisTestMakesIsReadWhereNothingIsWrong() throws IOException {
        readAll(new ByteArrayInputStream(archive(QUEUE, TASK, END)));
    }

    @Test
    void lengthsOverTheirLimitsAreRefused() {
        for (int length : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, (33 << 20) + 1}) {
            assertDamaged(block(new byte[0], length, 1), "stored length of a block");
        }
        for (int length : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, (32 << 20) + 1}) {
            assertDamaged(block(new byte[1], 1, length), "content length of a block");
        }
    }

    @Test
    void noMemoryIsTakenForBytesThatDoNotCome() {
        byte[] promise = block(new byte[0], 33 << 20, 32 << 20);
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();

        assertThatThrownBy(() -> readAll(pipe(promise)))
                .isInstanceOfSatisfying(
                        ArchiveException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CUT));

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(4 << 20);
    }

    @Test
    void aBlockHoldsAsMuchAsItSays() {
        byte[] bomb = deflate(new byte[1 << 20]);
        assertDamaged(block(bomb, bomb.length, 1000), "content of a block: wrong length (expected: 1000 bytes");
        assertDamaged(block(bomb, bomb.length, (1 << 20) - 1), "content of a block: wrong length");
        assertDamaged(block(bomb, bomb.length, (1 << 20) + 1), "content of a block: wrong length");
        byte[] more = Arrays.copyOf(bomb, bomb.length + 1);
        assertDamaged(block(more, more.length, 1 << 20), "content of a block: wrong length");
        assertDamaged(block(bomb, bomb.length - 1, 1 << 20), "content of a block: wrong length");
        assertDamaged(block("neither zlib".getBytes(UTF_8), 12, 10), "content of a block");
    }

    @Test
    void recordsThatCannotBeAreRefused() {
        assertDamaged(archive(TASK), "expected: a queue before it");
        assertDamaged(archive(QUEUE, QUEUE), "queue: q (expected: a queue after q)");
        assertDamaged(archive(QUEUE, TASK, TASK), "pid: p (expected: a PID after p)");
        assertDamaged(archive(QUEUE, END), "end: 1 queues, 1 tasks (expected: 1 and 0");
        assertDamaged(archive(QUEUE, TASK, END, END), "record: after the end record");
        assertDamaged(archive(ArchiveRecord.getDefaultInstance()), "record: unknown kind");
        assertDamaged(
                archive(ArchiveRecord.newBuilder()
                        .setQueue(ArchiveRecord.Queue.getDefaultInstance())
                        .build()),
                "queue: empty");
        assertDamaged(
                archive(ArchiveRecord.newBuilder()
                        .setQueue(QUEUE.getQueue().toBuilder()
                                .setOptions(QueueOptions.newBuilder().setMaxLeased(-1)))
                        .build()),
                "maxLeased");
        assertDamaged(
                archive(
                        QUEUE,
                        ArchiveRecord.newBuilder()
                                .setTask(ArchiveRecord.Task.newBuilder().setAttempts(-1))
                                .build()),
                "attempts: 4294967295");
        assertDamaged(
                archive(
                        QUEUE,
                        ArchiveRecord.newBuilder()
                                .setTask(ArchiveRecord.Task.newBuilder()
                                        .setNotBefore(Timestamp.newBuilder().setSeconds(Long.MAX_VALUE)))
                                .build()),
                "in this block");
    }

    @Test
    void recordsAreAsLongAsTheySay() {
        assertDamaged(content(new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7}), "in this block");
        assertDamaged(content(new byte[] {5, 0x12}), "in this block");
        assertDamaged(content(new byte[] {(byte) 0x80}), "in this block");
        // The data of this task claim a length of 2 GiB.
        assertDamaged(
                content(new byte[] {9, 0x12, 7, 0x12, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7, 0}),
                "in this block");
    }

    /** Returns a stream that does not tell the number of its bytes. */
    private static InputStream pipe(byte[] bytes) {
        return new SequenceInputStream(new ByteArrayInputStream(bytes), InputStream.nullInputStream());
    }

    private static void assertDamaged(byte[] archive, String what) {
        assertThatThrownBy(() -> readAll(new ByteArrayInputStream(archive)))
                .isInstanceOfSatisfying(ArchiveException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.DAMAGED);
                    assertThat(e.offset()).isEqualTo(8);
                    assertThat(e).hasMessageContaining(what);
                });
    }

    private static void readAll(InputStream in) throws IOException {
        try (var archive = new ArchiveReader(in)) {
            while (archive.next().isPresent()) {}
        }
    }

    private static byte[] archive(ArchiveRecord... records) {
        var content = new ByteArrayOutputStream();
        try {
            for (ArchiveRecord each : records) {
                each.writeDelimitedTo(content);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return content(content.toByteArray());
    }

    private static byte[] content(byte[] content) {
        byte[] stored = deflate(content);
        return block(stored, stored.length, content.length);
    }

    /** Returns an archive of one block, whose checksum matches whatever the lengths are. */
    private static byte[] block(byte[] stored, int storedLength, int contentLength) {
        byte[] bytes = ByteBuffer.allocate(8 + 8 + stored.length + 4)
                .put(ArchiveFormat.magic())
                .put(ArchiveFormat.VERSION)
                .putInt(storedLength)
                .putInt(contentLength)
                .put(stored)
                .array();
        var checksum = new CRC32C();
        int vouched = 16 + Math.clamp(storedLength, 0, stored.length);
        checksum.update(bytes, 0, vouched);
        ByteBuffer.wrap(bytes).putInt(vouched, (int) checksum.getValue());
        return bytes;
    }

    private static byte[] deflate(byte[] content) {
        var deflater = new Deflater();
        deflater.setInput(content);
        deflater.finish();
        byte[] stored = new byte[content.length + 100];
        int length = deflater.deflate(stored);
        deflater.end();
        return Arrays.copyOf(stored, length);
    }
}
