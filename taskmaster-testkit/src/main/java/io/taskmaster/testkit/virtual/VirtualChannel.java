package io.taskmaster.testkit.virtual;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.taskmaster.proxy.rpc.EmbeddedService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A connection between a client and the server on which messages take time and none is lost. It does not enforce
 * deadlines: the server answers every call. Single-threaded: owned by the test.
 */
final class VirtualChannel extends ManagedChannel {

    private final VirtualTime time;
    private final EmbeddedService embeddedService;
    private final LongSupplier networkDelayNanos;
    private boolean shutdown;

    /** @param networkDelayNanos supplies the time that the next message takes */
    VirtualChannel(VirtualTime time, EmbeddedService embeddedService, LongSupplier networkDelayNanos) {
        this.time = time;
        this.embeddedService = embeddedService;
        this.networkDelayNanos = networkDelayNanos;
    }

    @Override
    public <Q, P> ClientCall<Q, P> newCall(MethodDescriptor<Q, P> method, CallOptions options) {
        return new VirtualCall<>(time, embeddedService, networkDelayNanos, method);
    }

    @Override
    public String authority() {
        return "kit";
    }

    @Override
    public ManagedChannel shutdown() {
        shutdown = true;
        return this;
    }

    @Override
    public ManagedChannel shutdownNow() {
        return shutdown();
    }

    @Override
    public boolean isShutdown() {
        return shutdown;
    }

    @Override
    public boolean isTerminated() {
        return shutdown;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return shutdown;
    }
}
