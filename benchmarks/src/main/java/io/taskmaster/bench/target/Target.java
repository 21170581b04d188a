package io.taskmaster.bench.target;

import java.net.InetSocketAddress;

/** What is put under load. Closing it gives up what was started for it. */
public interface Target extends AutoCloseable {

    /** Where it listens. */
    InetSocketAddress address();

    @Override
    void close();

    /** A target that can be taken down hard and brought back on the same data and address. */
    interface Restartable extends Target {

        /** Ends it without warning, as a power cut would. Blocks until it is gone. */
        void kill() throws InterruptedException;

        /** Ends it in the orderly way. Blocks until it is gone. */
        void stop() throws InterruptedException;

        /** Starts it again, without waiting until it serves. */
        void start();
    }
}
