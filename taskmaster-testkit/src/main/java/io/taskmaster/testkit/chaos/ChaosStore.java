package io.taskmaster.testkit.chaos;

import io.taskmaster.testkit.fault.ProcessFaults;
import io.taskmaster.testkit.process.ServerPlan;
import io.taskmaster.testkit.process.ServerProcess;
import java.util.Map;

/** What the server of a run keeps its data in, while it is there. Closing it ends it. Thread-safe. */
interface ChaosStore extends AutoCloseable {

    /** The same server, on this store. */
    ServerPlan under(ServerPlan server);

    /** The same target, where faults of the store are done to this one. */
    ProcessFaults exposedTo(ProcessFaults faults, ServerProcess server);

    /** Comes back when it takes work, after all faults are undone. */
    void awaitReady() throws InterruptedException;

    /** How often each of its own processes was started, by name. */
    Map<String, Integer> starts();

    @Override
    void close();
}
