package io.taskmaster.server.store.rocksdb;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/**
 * The native part of RocksDB. By default it is unpacked into the temporary folder at every start, where a killed
 * process leaves it behind; in the data folder the next start replaces it. Thread-safe.
 */
public final class NativeLibrary {

    private static boolean loaded;

    private NativeLibrary() {}

    /** Loads the library unless this process has loaded it already. */
    public static synchronized void load(Path folder) throws IOException {
        if (loaded) {
            return;
        }
        Files.createDirectories(folder);
        String name = Environment.getJniLibraryFileName("rocksdb");
        try (InputStream packed = RocksDB.class.getClassLoader().getResourceAsStream(name)) {
            if (packed == null) {
                throw new FileNotFoundException(name + " (expected: in the RocksDB jar, for this platform)");
            }
            // The file name that loadLibrary looks for; it adds "jni" to the given name.
            Files.copy(packed, folder.resolve(Environment.getJniLibraryFileName("rocksdbjni")), REPLACE_EXISTING);
        }
        RocksDB.loadLibrary(List.of(folder.toString()));
        loaded = true;
    }
}
