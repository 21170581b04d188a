package io.taskmaster.bench.workload;

import io.taskmaster.bench.load.Slot;
import io.taskmaster.v1.TaskMasterGrpc.TaskMasterStub;

/** One kind of call, asked over and over. Thread-safe: its callers are on several connections. */
@FunctionalInterface
interface Probe {

    /** Asks once, and puts back what it took. The slot is told how it ended; only the watch says what counts. */
    void ask(TaskMasterStub stub, Slot slot, Stopwatch watch);
}
