package io.taskmaster.harness.hbase;

import java.util.List;

/** A thread that restarts processes that ended by themselves, until it is closed. Thread-safe. */
final class Supervisor implements AutoCloseable {

    private static final long PERIOD_MILLIS = 500;

    private final List<HBaseProcess> processes;
    private final Thread thread;

    Supervisor(List<HBaseProcess> processes) {
        this.processes = processes;
        this.thread = Thread.ofPlatform().daemon().name("hbase supervisor").unstarted(this::watch);
    }

    void start() {
        thread.start();
    }

    private void watch() {
        try {
            while (true) {
                Thread.sleep(PERIOD_MILLIS);
                processes.forEach(HBaseProcess::startIfEnded);
            }
        } catch (InterruptedException closed) {
            // The interrupt ends the thread.
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
