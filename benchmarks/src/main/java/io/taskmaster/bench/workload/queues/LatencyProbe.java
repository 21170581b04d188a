package io.taskmaster.bench.workload.queues;

import io.taskmaster.bench.load.Slot;
import io.taskmaster.v1.TaskMasterGrpc.TaskMasterStub;

/** A kind of call that is repeated. Thread-safe: it is called on the event loops of several connections. */
@FunctionalInterface
interface LatencyProbe {

    /**
     * Makes one call, and undoes its effect. The slot is notified of the outcome; only what the stopwatch times counts
     * as latency.
     */
    void call(TaskMasterStub stub, Slot slot, Stopwatch watch);
}
