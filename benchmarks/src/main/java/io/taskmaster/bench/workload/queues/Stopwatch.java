package io.taskmaster.bench.workload.queues;

import io.grpc.stub.StreamObserver;
import io.taskmaster.bench.load.Latencies;
import io.taskmaster.bench.load.Slot;
import java.util.function.Consumer;

/**
 * A timer of single calls within operations of several calls. A call that is in flight when a slice ends counts too:
 * slices are short, and leaving it out would leave out slow calls more often than fast ones. Single-threaded: owned by
 * the event loop of its connection.
 */
final class Stopwatch {

    private final Latencies latencies = new Latencies();

    /** Returns an observer of a call that starts now. A failed call fails the operation and is not timed. */
    <T> StreamObserver<T> timed(Slot slot, Consumer<T> onReply) {
        long startedNanos = System.nanoTime();
        return slot.observer(reply -> {
            latencies.record(System.nanoTime() - startedNanos);
            onReply.accept(reply);
        });
    }

    Latencies latencies() {
        return latencies;
    }
}
