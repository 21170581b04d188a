package io.taskmaster.bench.store;

import io.taskmaster.bench.load.Measurement;

/** A store with no server in front of it, written by this process. Closing it gives up what was written. Not thread-safe. */
public interface RawStore extends AutoCloseable {

    /** What one operation of such a load is. */
    String unit(RawLoad load);

    /** Writes new rows for the whole time of a load. Once. Blocks. */
    Measurement write(RawLoad load) throws InterruptedException;

    @Override
    void close();
}
