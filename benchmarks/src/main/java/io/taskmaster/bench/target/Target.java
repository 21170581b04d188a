package io.taskmaster.bench.target;

import java.net.InetSocketAddress;

/** The process that a load calls. Closing it ends what was started for it. */
public interface Target extends AutoCloseable {

    /** The address at which it listens. */
    InetSocketAddress address();

    @Override
    void close();

    /** A target that can be killed and restarted with the same data and address. */
    interface Restartable extends Target {

        /** Kills it without warning, as a power cut would. Blocks until the process is gone. */
        void kill() throws InterruptedException;

        /** Ends it in order. Blocks until the process is gone. */
        void stop() throws InterruptedException;

        /** Starts it again, without waiting until it serves. */
        void start();
    }
}
