package io.taskmaster.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.archive.ArchiveException.Reason;
import io.taskmaster.client.PeekResult.PeekedTask;
import io.taskmaster.client.PeekResult.State;
import io.taskmaster.client.QueueOptions;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that an archive returns what was written, and that anything but a whole archive is refused. */
final class ArchiveTest {

    private static final Instant THEN = Instant.ofEpochSecond(1_700_000_000, 5);

    /** An archive of two blocks that an independent program wrote by the document of the format. */
    private static final String GOLDEN =
            "iVRNQQ0KGgEAAAAoAAAAIHjaE+Di42JMF2IslGLjYBRgl2DmE+LR4uBoeHR+FZsAqwETAD+0BQispTXoAAAANQAAACx42lMRUuJi"
                    + "+v9fiCUlsSRRio2LMVuIsUyJjaNh3cwl/FpsHI2Pzq9iY5Ni4WAUYAIAB9kLNcV3U4Y=";

    private static final List<ArchiveEntry> OF_GOLDEN = List.of(
            new ArchiveEntry.Queue(QueueKey.of("g", "q"), new QueueOptions(true, 7, 3)),
            new ArchiveEntry.Task(Pid.EMPTY, Bytes.EMPTY, Map.of(), Optional.empty(), THEN, 2),
            new ArchiveEntry.Task(
                    Pid.wrap(new byte[] {(byte) 0xff, (byte) 0xff}),
                    Bytes.of("data"),
                    Map.of("k", "v"),
                    Optional.of(Instant.ofEpochSecond(4_102_444_800L)),
                    Instant.ofEpochSecond(1_700_000_001),
                    0));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whatGoesInComesOut(long seed) throws IOException {
        List<ArchiveEntry> entries = entries(new Random(seed));

        assertThat(read(write(entries))).isEqualTo(entries);
    }

    @Test
    void anEmptyArchiveIsWhole() throws IOException {
        assertThat(read(write(List.of()))).isEmpty();
    }

    @Test
    void theLargestTaskFits() throws IOException {
        byte[] noise = new byte[17 << 20];
        new Random(1).nextBytes(noise);
        List<ArchiveEntry> entries = List.of(queue("q"), task("a", noise), task("b", new byte[17 << 20]));

        assertThat(read(write(entries))).isEqualTo(entries);
    }

    @Test
    void whatIsLargerThanAnyTaskIsNotWritten() throws IOException {
        try (var archive = new ArchiveWriter(new ByteArrayOutputStream())) {
            archive.write(queue("q"));
            assertThatThrownBy(() -> archive.write(task("a", new byte[32 << 20])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("expected: a little less than 33554432");
        }
    }

    @Test
    void whatWasWrittenOnceIsReadForEver() throws IOException {
        assertThat(read(Base64.getDecoder().decode(GOLDEN))).isEqualTo(OF_GOLDEN);
    }

    @Test
    void everyFlippedBitIsFound() {
        byte[] whole = Base64.getDecoder().decode(GOLDEN);
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);

            assertThatThrownBy(() -> read(flipped)).as("bit %d", bit).isInstanceOf(ArchiveException.class);
        }
    }

    @Test
    void everyCutIsKnownAsOne() {
        byte[] whole = Base64.getDecoder().decode(GOLDEN);
        for (int length = 0; length < whole.length; length++) {
            assertRefused(Arrays.copyOf(whole, length), Reason.CUT, length < 8 ? 0 : length < 60 ? 8 : 60);
        }
    }

    @Test
    void whatIsBehindTheEndIsFound() {
        byte[] whole = Base64.getDecoder().decode(GOLDEN);
        assertRefused(Arrays.copyOf(whole, whole.length + 1), Reason.DAMAGED, whole.length);
    }

    @Test
    void blocksBelongWhereTheyAre() throws IOException {
        List<ArchiveEntry> entries = new ArrayList<>(List.of(queue("q")));
        for (String pid : List.of("a", "b", "c", "d")) {
            entries.add(task(pid, new byte[1 << 20]));
        }
        byte[] whole = write(entries);
        List<byte[]> blocks = blocks(whole);
        assertThat(blocks).hasSizeGreaterThanOrEqualTo(5);

        for (int i = 0; i < blocks.size(); i++) {
            List<byte[]> missing = new ArrayList<>(blocks);
            missing.remove(i);
            List<byte[]> twice = new ArrayList<>(blocks);
            twice.add(i, blocks.get(i));
            assertThatThrownBy(() -> read(join(whole, missing))).isInstanceOf(ArchiveException.class);
            assertThatThrownBy(() -> read(join(whole, twice))).isInstanceOf(ArchiveException.class);
            for (int j = 0; j < i; j++) {
                List<byte[]> swapped = new ArrayList<>(blocks);
                swapped.set(i, blocks.get(j));
                swapped.set(j, blocks.get(i));
                assertThatThrownBy(() -> read(join(whole, swapped))).isInstanceOf(ArchiveException.class);
            }
        }
        assertThat(read(join(whole, blocks))).isEqualTo(entries);
    }

    @Test
    void whatComesBeforeDamageIsRead() throws IOException {
        List<ArchiveEntry> entries = List.of(queue("q"), task("a", new byte[1 << 20]), task("b", new byte[1 << 20]));
        byte[] whole = write(entries);
        List<byte[]> blocks = blocks(whole);
        int end = whole.length - blocks.getLast().length;
        whole[end - 1] ^= 1;

        var archive = new ArchiveReader(new ByteArrayInputStream(whole));
        assertThat(archive.next()).contains(entries.get(0));
        assertThat(archive.next()).contains(entries.get(1));
        assertThatThrownBy(archive::next).isInstanceOfSatisfying(ArchiveException.class, e -> {
            assertThat(e.reason()).isEqualTo(Reason.DAMAGED);
            assertThat(e.offset()).isEqualTo(end - blocks.get(2).length);
        });
    }

    @Test
    void somethingElseIsNoArchive() {
        assertRefused("taskmaster".getBytes(UTF_8), Reason.NOT_AN_ARCHIVE, 0);
        byte[] later = Base64.getDecoder().decode(GOLDEN);
        later[7] = 2;
        assertRefused(later, Reason.UNKNOWN_VERSION, 7);
    }

    @Test
    void anArchiveThatWasNotFinishedIsCut() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var archive = new ArchiveWriter(bytes)) {
            archive.write(queue("q"));
        }
        assertRefused(bytes.toByteArray(), Reason.CUT, 8);
    }

    @Test
    void nothingIsWrittenOutOfItsOrder() throws IOException {
        try (var archive = new ArchiveWriter(new ByteArrayOutputStream())) {
            assertThatThrownBy(() -> archive.write(task("a", new byte[0])))
                    .isInstanceOf(IllegalArgumentException.class);
            archive.write(queue("q"));
            archive.write(task("b", new byte[0]));
            assertThatThrownBy(() -> archive.write(task("b", new byte[0])))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> archive.write(task("a", new byte[0])))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> archive.write(queue("q"))).isInstanceOf(IllegalArgumentException.class);
            archive.write(queue("r"));
            archive.write(task("a", new byte[0]));
        }
    }

    @Test
    void aLeasedTaskIsAvailableInTheArchiveAndADelayedOneDelayed() {
        Instant later = THEN.plusSeconds(60);
        ArchiveEntry.Task leased = ArchiveEntry.Task.of(peeked(State.LEASED, later));
        ArchiveEntry.Task delayed = ArchiveEntry.Task.of(peeked(State.DELAYED, later));

        assertThat(leased.notBefore()).isEmpty();
        assertThat(leased.attempts()).isEqualTo(4);
        assertThat(delayed.enqueue(QueueName.of("q")))
                .isEqualTo(new Enqueue(
                        QueueName.of("q"),
                        Optional.of(Pid.of("p")),
                        Bytes.of("data"),
                        Map.of("k", "v"),
                        IfExists.COLLAPSE,
                        Optional.of(later)));
    }

    private static PeekedTask peeked(State state, Instant until) {
        return new PeekedTask(Pid.of("p"), Bytes.of("data"), 4, Map.of("k", "v"), state, THEN, Optional.of(until), 4);
    }

    private static void assertRefused(byte[] bytes, Reason reason, long offset) {
        assertThatThrownBy(() -> read(bytes)).isInstanceOfSatisfying(ArchiveException.class, e -> {
            assertThat(e.reason()).isEqualTo(reason);
            assertThat(e.offset()).isEqualTo(offset);
            assertThat(e).hasMessageStartingWith("offset " + offset + ": ");
        });
    }

    private static byte[] write(List<ArchiveEntry> entries) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var archive = new ArchiveWriter(bytes)) {
            for (ArchiveEntry entry : entries) {
                archive.write(entry);
            }
            archive.finish();
            assertThat(archive.bytes()).isEqualTo(bytes.size());
        }
        return bytes.toByteArray();
    }

    private static List<ArchiveEntry> read(byte[] bytes) throws IOException {
        List<ArchiveEntry> entries = new ArrayList<>();
        try (var archive = new ArchiveReader(new ByteArrayInputStream(bytes))) {
            for (Optional<ArchiveEntry> next = archive.next(); next.isPresent(); next = archive.next()) {
                entries.add(next.get());
            }
            assertThat(archive.bytes()).isEqualTo(bytes.length);
            assertThat(archive.queues() + archive.tasks()).isEqualTo(entries.size());
        }
        return entries;
    }

    /** Splits an archive into its blocks, with their lengths and checksums. */
    private static List<byte[]> blocks(byte[] archive) {
        List<byte[]> blocks = new ArrayList<>();
        for (int at = 8; at < archive.length; at += blocks.getLast().length) {
            int stored = ByteBuffer.wrap(archive).getInt(at);
            blocks.add(Arrays.copyOfRange(archive, at, at + 8 + stored + 4));
        }
        return blocks;
    }

    private static byte[] join(byte[] head, List<byte[]> blocks) {
        var bytes = new ByteArrayOutputStream();
        bytes.write(head, 0, 8);
        blocks.forEach(bytes::writeBytes);
        return bytes.toByteArray();
    }

    private static ArchiveEntry.Queue queue(String name) {
        return new ArchiveEntry.Queue(QueueKey.of(name), QueueOptions.DEFAULT);
    }

    private static ArchiveEntry.Task task(String pid, byte[] data) {
        return new ArchiveEntry.Task(Pid.of(pid), Bytes.wrap(data), Map.of(), Optional.empty(), THEN, 0);
    }

    private static List<ArchiveEntry> entries(Random random) {
        var keys = new TreeSet<QueueKey>();
        for (int i = random.nextInt(6); i > 0; i--) {
            keys.add(new QueueKey(
                    GroupName.wrap(bytes(random, random.nextInt(3))),
                    QueueName.wrap(bytes(random, 1 + random.nextInt(3)))));
        }
        List<ArchiveEntry> entries = new ArrayList<>();
        for (QueueKey key : keys) {
            entries.add(new ArchiveEntry.Queue(
                    key, new QueueOptions(random.nextBoolean(), random.nextInt(3), random.nextInt(1000))));
            var pids = new TreeSet<Pid>();
            for (int i = random.nextInt(200); i > 0; i--) {
                pids.add(Pid.wrap(bytes(random, random.nextInt(4))));
            }
            pids.forEach(pid -> entries.add(task(random, pid)));
        }
        return entries;
    }

    private static ArchiveEntry.Task task(Random random, Pid pid) {
        int size = random.nextInt(100) == 0 ? random.nextInt(3 << 20) : random.nextInt(50);
        return new ArchiveEntry.Task(
                pid,
                Bytes.wrap(bytes(random, size)),
                random.nextInt(4) == 0 ? Map.of("a", "1", "ä", "ö") : Map.of(),
                random.nextInt(4) == 0
                        ? Optional.of(Instant.ofEpochSecond(random.nextLong(-10_000_000_000L, 100_000_000_000L)))
                        : Optional.empty(),
                Instant.ofEpochSecond(random.nextLong(10_000_000_000L), random.nextInt(1_000_000_000)),
                random.nextInt(5));
    }

    /** Returns random bytes, often the smallest and the largest, at which errors of order show. */
    private static byte[] bytes(Random random, int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        for (int i = 0; i < Math.min(size, 4); i++) {
            bytes[i] = random.nextInt(3) == 0 ? (byte) 0xff : random.nextInt(3) == 0 ? 0 : bytes[i];
        }
        return bytes;
    }
}
