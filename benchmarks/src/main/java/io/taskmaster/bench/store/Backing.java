package io.taskmaster.bench.store;

import io.taskmaster.bench.report.Subject;
import java.nio.file.Path;
import java.util.Map;

/**
 * A store for the servers of a run. Closing it removes what was started and created for them. Single-threaded: owned by
 * the run.
 */
public interface Backing extends AutoCloseable {

    /** The kind of store, as in the settings of a server. */
    String store();

    /** The subject of measurements on it. */
    Subject subject();

    /** Opens an empty store of its own that is written without a server. Blocks. */
    RawStore openRaw(Path emptyFolder);

    /** Returns the settings, by key, with which a new server on this store finds no data of an earlier one. */
    Map<String, String> freshSettings();

    /** Removes what was started and created. Blocks. */
    @Override
    void close();

    /** A factory that opens the store when it is first needed. */
    @FunctionalInterface
    interface Opener {

        /** Starts the processes that the store needs, in an empty folder. Blocks. */
        Backing open(Path emptyFolder) throws InterruptedException;
    }
}
