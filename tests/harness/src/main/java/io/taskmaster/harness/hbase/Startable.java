package io.taskmaster.harness.hbase;

/** A process of an HBase, as {@link Startup} needs it. */
interface Startable {

    Member member();

    /** Starts it, if it does not run. */
    void start();

    boolean isAlive();

    /** Kills it, and blocks until it has ended. */
    void kill() throws InterruptedException;

    /** Returns the end of its output. */
    String lastOutput();
}
