package io.taskmaster.harness.chaos;

import io.taskmaster.harness.fault.ProcessFaults;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import java.util.Map;

/** The store of the server of a run. Closing it ends its processes. Thread-safe. */
interface ChaosStore extends AutoCloseable {

    /** Returns the plan of the same server on this store. */
    ServerPlan under(ServerPlan server);

    /** Returns the same target, with faults of the store applied to this one. */
    ProcessFaults exposedTo(ProcessFaults faults, ServerProcess server);

    /** Waits until the store takes work, after all faults were undone. */
    void awaitReady() throws InterruptedException;

    /** Returns the number of starts of each of its own processes, by name. */
    Map<String, Integer> starts();

    @Override
    void close();
}
