package io.taskmaster.examples.crawl.stage;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.examples.crawl.StageName;
import java.io.IOException;

/**
 * One step on a page's way. Whatever it does is idempotent: a task is worked on again whenever it is not known to be settled.
 * Thread-safe.
 */
public interface Stage {

    StageName name();

    /** How many tasks are leased together. */
    int batch();

    /**
     * Works on one task. What it throws counts as a failure that may pass.
     *
     * @throws InterruptedException when the worker is told to stop
     */
    Outcome work(LeasedTask task) throws InterruptedException;

    /**
     * Makes durable what the work on a batch has done outside TaskMaster. No task of the batch is settled before that.
     *
     * @throws IOException if it cannot be; the worker ends, and its leases run out
     */
    default void commit() throws IOException {}
}
