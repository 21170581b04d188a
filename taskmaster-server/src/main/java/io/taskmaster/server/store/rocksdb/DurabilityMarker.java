package io.taskmaster.server.store.rocksdb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A record, beside RocksDB's files, of what is known to be durable: the sequence number that synced batches have
 * reached, and the length and checksum of the manifest. Thread-safe.
 *
 * <p>RocksDB takes a write-ahead log or a manifest that ends early for one that a crash cut short, drops its last
 * record, and opens without an error. If it was cut later, by a bad disk or by hand, that record was acknowledged. Only
 * an independent record can tell the two apart. Therefore this file is updated after every synced batch, and compared
 * at opening: the manifest before RocksDB touches anything, the sequence number afterwards.
 *
 * <p>The file is not synced when it is changed, and need not be: whatever it ever stated stays true, since the durable
 * prefix only grows. A killed process loses none of it; a power failure may leave an older statement, which only
 * requires less.
 *
 * <pre>
 * file = slot, zeros up to 512, slot
 * slot = magic (8 bytes), generation, sequence, manifest number, manifest length, manifest CRC32C (8 each),
 *        CRC32C of all these (8)
 * </pre>
 *
 * <p>The slots are written alternately; the valid one of the higher generation counts, so a torn write leaves the
 * other. A folder without this file is opened unchecked, which is how an operator accepts a loss.
 */
final class DurabilityMarker implements AutoCloseable {

    static final String FILE = "witness";

    private static final Logger log = LoggerFactory.getLogger(DurabilityMarker.class);
    private static final long MAGIC = 0x5457_4954_4e45_5331L;
    private static final int SLOT_BYTES = 7 * Long.BYTES;
    private static final int CHECKED_BYTES = 6 * Long.BYTES;
    private static final int SLOT_DISTANCE = 512;
    private static final int FILE_BYTES = 2 * SLOT_DISTANCE;
    private static final int COPY_BYTES = 64 << 10;
    private static final Pattern CURRENT = Pattern.compile("MANIFEST-(\\d+)\n");

    /** A statement of what is durable. Immutable. */
    private record Statement(long generation, long sequence, long manifest, long manifestBytes, long manifestCrc) {

        static final Statement NONE = new Statement(0, 0, 0, 0, 0);
    }

    private final Path path;
    private final Path db;
    private final boolean found;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private Statement last;

    @GuardedBy("lock")
    private @Nullable FileChannel file;

    @GuardedBy("lock")
    private final CRC32C crc = new CRC32C();

    /** The number of the manifest whose prefix {@link #crc} covers. */
    @GuardedBy("lock")
    private long crcOf;

    @GuardedBy("lock")
    private boolean failed;

    private DurabilityMarker(Path path, Path db, @Nullable Statement last) {
        this.path = path;
        this.db = db;
        this.found = last != null;
        this.last = last == null ? Statement.NONE : last;
    }

    /**
     * Reads what an earlier process stated about a database that is not open yet, and compares the manifest with it.
     * Changes nothing.
     *
     * @throws StoreException with {@link Outcome#CORRUPT} if something is missing or differs
     */
    static DurabilityMarker open(Path folder, Path db) throws IOException {
        Path path = folder.resolve(FILE);
        Optional<Long> manifest = currentManifest(db);
        if (!Files.exists(path)) {
            Path leftover = manifest.isPresent() ? null : anyData(db);
            if (leftover != null) {
                throw new StoreException(
                        Outcome.CORRUPT,
                        "damaged file: " + db.resolve("CURRENT") + " is missing, but " + leftover.getFileName()
                                + " exists (expected: both or neither; restore the data folder from a copy)",
                        null);
            }
            if (manifest.isPresent()) {
                log.warn("{} is missing, so it cannot be checked whether the newest data in {} is complete", path, db);
            }
            return new DurabilityMarker(path, db, null);
        }
        Statement stated = read(path);
        if (stated.manifest > 0) {
            compare(stated, manifest, path, db);
        }
        return new DurabilityMarker(path, db, stated);
    }

    private static Statement read(Path path) throws IOException {
        ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(path));
        Statement newest = null;
        for (int at = 0; at + SLOT_BYTES <= content.capacity(); at += SLOT_DISTANCE) {
            Statement slot = slot(content.slice(at, SLOT_BYTES));
            if (slot != null && (newest == null || slot.generation > newest.generation)) {
                newest = slot;
            }
        }
        if (newest == null || content.capacity() != FILE_BYTES) {
            throw damaged(path, "has other content than was written", path);
        }
        return newest;
    }

    private static @Nullable Statement slot(ByteBuffer slot) {
        CRC32C check = new CRC32C();
        check.update(slot.slice(0, CHECKED_BYTES));
        if (slot.getLong() != MAGIC || slot.getLong(CHECKED_BYTES) != check.getValue()) {
            return null;
        }
        return new Statement(slot.getLong(), slot.getLong(), slot.getLong(), slot.getLong(), slot.getLong());
    }

    private static void compare(Statement stated, Optional<Long> manifest, Path path, Path db) throws IOException {
        if (manifest.isEmpty()) {
            throw damaged(db.resolve("CURRENT"), "is missing", path);
        }
        Path file = manifestFile(db, manifest.get());
        if (manifest.get() < stated.manifest) {
            throw damaged(
                    db.resolve("CURRENT"), "names " + file.getFileName() + ", which is not the newest manifest", path);
        }
        if (!Files.exists(file)) {
            throw damaged(file, "is missing", path);
        }
        // A newer manifest is not covered by the statement: RocksDB may have begun it after the last note.
        if (manifest.get() == stated.manifest) {
            if (Files.size(file) < stated.manifestBytes) {
                throw damaged(
                        file,
                        "has " + Files.size(file) + " bytes (expected: at least " + stated.manifestBytes + ")",
                        path);
            }
            CRC32C content = new CRC32C();
            addToCrc(content, file, 0, stated.manifestBytes);
            if (content.getValue() != stated.manifestCrc) {
                throw damaged(file, "has other content than was written", path);
            }
        }
    }

    /** Returns the number of the current manifest; empty if there is no database yet. */
    private static Optional<Long> currentManifest(Path db) throws IOException {
        Path current = db.resolve("CURRENT");
        String content;
        try {
            content = new String(Files.readAllBytes(current), US_ASCII);
        } catch (NoSuchFileException missing) {
            return Optional.empty();
        }
        Matcher name = CURRENT.matcher(content);
        if (!name.matches()) {
            throw damaged(current, "does not name a manifest", db.resolveSibling(FILE));
        }
        return Optional.of(Long.valueOf(name.group(1)));
    }

    private static @Nullable Path anyData(Path db) throws IOException {
        if (!Files.exists(db)) {
            return null;
        }
        try (Stream<Path> files = Files.list(db)) {
            return files.filter(file -> file.toString().endsWith(".sst")
                            || (file.toString().endsWith(".log")
                                    && file.toFile().length() > 0))
                    .findFirst()
                    .orElse(null);
        }
    }

    private static Path manifestFile(Path db, long number) {
        return db.resolve("MANIFEST-%06d".formatted(number));
    }

    private static StoreException damaged(Path file, String problem, Path marker) {
        return new StoreException(Outcome.CORRUPT, "damaged file: " + file + " " + problem + advice(marker), null);
    }

    private static String advice(Path marker) {
        return " (expected: the content that was written; restore the data folder from a copy, or, to keep what is left and"
                + " lose the rest, remove " + marker + ")";
    }

    /**
     * Compares the database, now that it is open, with what was stated of it. From here on, notes are written to the
     * file.
     *
     * @param sequence the sequence number that the database has reached
     * @param durable the sequence number that it had reached as far as this process knows. The file may state less, if
     *     the folder is another one than before
     */
    void confirm(long sequence, long durable) throws IOException {
        lock.lock();
        try {
            long expected = Math.max(last.sequence, durable);
            if (sequence < expected) {
                throw new StoreException(
                        Outcome.CORRUPT,
                        "damaged file: a write-ahead log in " + db + ", *.log, is missing or cut short: it ends at "
                                + sequence + " (expected: at least " + expected + ")" + advice(path),
                        null);
            }
            if (!found) {
                DurableFiles.replace(path, firstContent());
            }
            // Only now can notes reach the file: a folder that fails the comparison keeps its statement.
            file = FileChannel.open(path, WRITE);
            last = new Statement(last.generation, sequence, last.manifest, last.manifestBytes, last.manifestCrc);
        } finally {
            lock.unlock();
        }
        noteManifest();
    }

    /**
     * Returns content that is valid from the beginning: an empty new file, which a loss of power could leave, would
     * count as corruption.
     */
    private static ByteBuffer firstContent() {
        return ByteBuffer.allocate(FILE_BYTES).put(0, encoded(Statement.NONE), 0, SLOT_BYTES);
    }

    /** Notes that a batch with this last sequence number is durable, as is everything logged before it. */
    void noteSequence(long sequence) {
        lock.lock();
        try {
            state(new Statement(last.generation + 1, sequence, last.manifest, last.manifestBytes, last.manifestCrc));
        } finally {
            lock.unlock();
        }
    }

    /** The last sequence number that is known to be durable. */
    long sequence() {
        lock.lock();
        try {
            return last.sequence;
        } finally {
            lock.unlock();
        }
    }

    /** Makes the current manifest durable and notes it, if it has grown or changed since the last statement. */
    void noteManifest() {
        lock.lock();
        try {
            Optional<Long> number = currentManifest(db);
            if (number.isEmpty()) {
                return;
            }
            Path manifest = manifestFile(db, number.get());
            long size = Files.size(manifest);
            if (number.get() == last.manifest && size == last.manifestBytes) {
                return;
            }
            // A manifest only grows, so its checksum is continued from the last length; a new one is read from its
            // beginning.
            if (number.get() != crcOf) {
                crc.reset();
                crcOf = number.get();
                addToCrc(crc, manifest, 0, size);
            } else {
                addToCrc(crc, manifest, last.manifestBytes, size);
            }
            state(new Statement(last.generation + 1, last.sequence, number.get(), size, crc.getValue()));
        } catch (IOException | StoreException unreadable) {
            // A newer manifest may have replaced it in the meantime.
            crcOf = 0;
            log.debug("could not record the state of the manifest", unreadable);
        } finally {
            lock.unlock();
        }
    }

    /** Adds a part of a file to a checksum, and syncs the file. */
    private static void addToCrc(CRC32C crc, Path path, long from, long to) throws IOException {
        try (FileChannel channel = FileChannel.open(path, READ)) {
            // Synced before it is read: what is stated has to be durable, whether or not RocksDB has synced it yet.
            channel.force(false);
            ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
            long position = from;
            while (position < to) {
                buffer.clear().limit((int) Math.min(COPY_BYTES, to - position));
                int read = channel.read(buffer, position);
                if (read < 0) {
                    throw new IOException(path + ": truncated (expected: " + to + " bytes)");
                }
                crc.update(buffer.flip());
                position += read;
            }
        }
    }

    @GuardedBy("lock")
    private void state(Statement next) {
        last = next;
        if (file == null) {
            return;
        }
        try {
            // The other slot keeps the previous statement, in case this write is torn.
            file.write(encoded(next), (next.generation & 1) * SLOT_DISTANCE);
            failed = false;
        } catch (IOException failure) {
            if (!failed) {
                failed = true;
                log.warn("{} cannot be written, so the next start cannot check all data", path, failure);
            }
        }
    }

    private static ByteBuffer encoded(Statement statement) {
        ByteBuffer slot = ByteBuffer.allocate(SLOT_BYTES);
        slot.putLong(MAGIC).putLong(statement.generation).putLong(statement.sequence);
        slot.putLong(statement.manifest).putLong(statement.manifestBytes).putLong(statement.manifestCrc);
        CRC32C check = new CRC32C();
        check.update(slot.duplicate().flip());
        return slot.putLong(check.getValue()).flip();
    }

    /** Closes the file. Its statements remain. Idempotent. */
    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            if (file != null) {
                file.close();
                file = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
