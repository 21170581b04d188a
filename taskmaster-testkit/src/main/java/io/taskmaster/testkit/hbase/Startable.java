package io.taskmaster.testkit.hbase;

/** A process of an HBase as a start sees it. */
interface Startable {

    Member member();

    /** Starts it if it does not run. */
    void start();

    boolean isAlive();

    /** Ends it without warning, and blocks until it has ended. */
    void kill() throws InterruptedException;

    /** The end of what it printed. */
    String lastWords();
}
