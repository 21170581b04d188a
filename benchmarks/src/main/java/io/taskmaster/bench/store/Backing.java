package io.taskmaster.bench.store;

import io.taskmaster.bench.report.Subject;
import java.nio.file.Path;
import java.util.Map;

/** What the servers of a run keep their data in. Closing it takes away what was started and made for them. Not thread-safe. */
public interface Backing extends AutoCloseable {

    /** Its kind, as servers know it. */
    String store();

    /** What is measured on it. */
    Subject subject();

    /** Opens the store with nothing in front of it, and nothing in it. Blocks. */
    RawStore openRaw(Path emptyFolder);

    /** What a server on it is started with, by key, so that it finds no data of another. */
    Map<String, String> freshSettings();

    /** Blocks. */
    @Override
    void close();

    /** Makes one when it is needed. */
    @FunctionalInterface
    interface Opener {

        /** Starts what has to run for it, in an empty folder. Blocks. */
        Backing open(Path emptyFolder) throws InterruptedException;
    }
}
