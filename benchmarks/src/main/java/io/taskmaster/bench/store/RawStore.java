package io.taskmaster.bench.store;

import io.taskmaster.bench.load.Measurement;

/**
 * A store without a server, written by this process. Closing it discards what was written. Single-threaded: owned by
 * the run.
 */
public interface RawStore extends AutoCloseable {

    /** Returns the meaning of one operation of such a load. */
    String unit(RawLoad load);

    /** Writes new rows for the whole time of a load. Call it once. Blocks. */
    Measurement write(RawLoad load) throws InterruptedException;

    @Override
    void close();
}
