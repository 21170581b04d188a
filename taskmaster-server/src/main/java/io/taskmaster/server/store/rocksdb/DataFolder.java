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
 * witness   how far it is durable
 * db        RocksDB's own files
 * native    RocksDB's library, unpacked
 * </pre>
 *
 * A folder that holds anything but no {@code layout} is not ours and is left alone. Its files are its owner's alone ({@link Privacy}). Thread-safe.
 */
final class DataFolder implements AutoCloseable {

    /** Where in it the database is. */
    static final String DB = "db";

    private static final String LAYOUT = "taskmaster rocksdb 1";
    private static final Set<String> FILES_BEFORE_LAYOUT = Set.of("lock", "layout.new", "lost+found");

    /** Folders open in this process: file locks are the process's, and closing any channel of the file would let go of them. */
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel lock;

    private DataFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Opens a folder, which is made if it is missing.
     *
     * @throws StoreInUseException if another store holds it
     * @throws UnknownLayoutException if it holds something else
     */
    static DataFolder open(Path folder) throws IOException {
        Durably.createFolders(folder);
        Path path = folder.toRealPath();
        checkLayout(path);
        if (!OPEN.add(path)) {
            throw inUse(path);
        }
        DataFolder opened = null;
        try {
            opened = lock(path);
            if (checkLayout(path)) {
                Durably.replace(path.resolve("layout"), UTF_8.encode(LAYOUT + "\n"));
            }
            Privacy.require(path);
            Durably.createFolders(opened.db());
            return opened;
        } catch (IOException | RuntimeException failure) {
            OPEN.remove(path);
            if (opened != null) {
                opened.lock.close();
            }
            throw failure;
        }
    }

    /** Whether there is one, in which a store has been open. */
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
        if (channel.tryLock() == null) {
            channel.close();
            throw inUse(path);
        }
        return new DataFolder(path, channel);
    }

    private static StoreInUseException inUse(Path path) {
        return new StoreInUseException("data folder: " + path + " is in use (expected: one server at a time)");
    }

    /** Whether the folder is new and has no layout yet. */
    private static boolean checkLayout(Path path) throws IOException {
        Path layout = path.resolve("layout");
        if (!Files.exists(layout)) {
            @Nullable String foreign = firstForeignFile(path);
            if (foreign != null) {
                throw new UnknownLayoutException("data folder: " + path + " holds " + foreign
                        + " and no layout (expected: an empty folder, or one of TaskMaster)");
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

    /** Lets another store have the folder. Idempotent. */
    @Override
    public void close() throws IOException {
        if (lock.isOpen()) {
            lock.close();
            OPEN.remove(path);
        }
    }
}
