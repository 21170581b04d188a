package io.taskmaster.server.store.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.taskmaster.server.store.StoreInUseException;
import io.taskmaster.server.store.UnknownLayoutException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of an embedded store, held by one store at a time.
 *
 * <pre>
 * layout    one line that names the layout of everything else
 * lock      held by the process that has the folder open
 * witness   what is known to be durable ({@link DurabilityMarker})
 * db        RocksDB's own files
 * native    RocksDB's library, unpacked
 * </pre>
 *
 * <p>A folder that holds other files but no {@code layout} was not written by TaskMaster and is left untouched. The
 * files are accessible to their owner only ({@link FilePermissions}). Thread-safe.
 */
final class DataFolder implements AutoCloseable {

    /** The name of the database's folder in it. */
    static final String DB = "db";

    private static final String LAYOUT = "taskmaster rocksdb 1";
    private static final Set<String> FILES_BEFORE_LAYOUT = Set.of("lock", "layout.new", "lost+found");

    /**
     * The folders open in this process. File locks belong to the process, so they do not exclude a second store here;
     * and closing any channel of the lock file would release the lock.
     */
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel lock;

    private DataFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Opens a folder, creating it if it is missing.
     *
     * @throws StoreInUseException if another store holds it
     * @throws UnknownLayoutException if it holds anything else
     */
    static DataFolder open(Path folder) throws IOException {
        DurableFiles.createFolders(folder);
        Path path = folder.toRealPath();
        checkLayout(path);
        if (!OPEN.add(path)) {
            throw inUse(path);
        }
        DataFolder opened = null;
        try {
            opened = lock(path);
            // Checked again under the lock: another process may have initialised the folder since the first look.
            if (checkLayout(path)) {
                DurableFiles.replace(path.resolve("layout"), UTF_8.encode(LAYOUT + "\n"));
            }
            FilePermissions.require(path);
            DurableFiles.createFolders(opened.db());
            return opened;
        } catch (IOException | RuntimeException failure) {
            // In this order, as in close().
            if (opened != null) {
                closeAfter(failure, opened.lock);
            }
            OPEN.remove(path);
            throw failure;
        }
    }

    private static void closeAfter(Exception failure, FileChannel channel) {
        try {
            channel.close();
        } catch (IOException alsoFailed) {
            failure.addSuppressed(alsoFailed);
        }
    }

    /** Returns whether a folder exists in which a store has been open. */
    static boolean isAt(Path folder) {
        return Files.exists(folder.resolve("layout"));
    }

    Path path() {
        return path;
    }

    Path db() {
        return path.resolve(DB);
    }

    Path nativeLibraries() {
        return path.resolve("native");
    }

    private static DataFolder lock(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path.resolve("lock"), CREATE, WRITE);
        try {
            if (channel.tryLock() == null) {
                throw inUse(path);
            }
            return new DataFolder(path, channel);
        } catch (IOException | RuntimeException failure) {
            closeAfter(failure, channel);
            throw failure;
        }
    }

    private static StoreInUseException inUse(Path path) {
        return new StoreInUseException("data folder: " + path + " is in use (expected: one server at a time)");
    }

    /** Returns whether the folder is new and has no layout yet. */
    private static boolean checkLayout(Path path) throws IOException {
        Path layout = path.resolve("layout");
        if (!Files.exists(layout)) {
            @Nullable String foreign = firstForeignFile(path);
            if (foreign != null) {
                throw new UnknownLayoutException("data folder: " + path + " holds " + foreign
                        + " and no layout file (expected: an empty folder, or a data folder of TaskMaster)");
            }
            return true;
        }
        String found = new String(Files.readAllBytes(layout), UTF_8).strip();
        if (!found.equals(LAYOUT)) {
            throw new UnknownLayoutException(
                    "data folder: " + path + " has layout '" + found + "' (expected: '" + LAYOUT + "')");
        }
        return false;
    }

    private static @Nullable String firstForeignFile(Path path) throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !FILES_BEFORE_LAYOUT.contains(name))
                    .findFirst()
                    .orElse(null);
        }
    }

    /** Releases the folder for another store. Idempotent. */
    @Override
    public void close() throws IOException {
        if (lock.isOpen()) {
            // In this order: a store that finds the path free in OPEN must be able to lock the file.
            try {
                lock.close();
            } finally {
                OPEN.remove(path);
            }
        }
    }
}
