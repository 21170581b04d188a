package io.taskmaster.server.rpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.taskmaster.server.partition.Node;
import io.taskmaster.server.partition.loop.Clock;
import io.taskmaster.server.rpc.call.InFlightLimiter;
import io.taskmaster.server.rpc.call.OffloadExecutor;
import java.util.concurrent.Executor;

/**
 * The service of the contract on a node, without a port around it: for simulators and test kits, which bring the calls
 * themselves. As thread-safe as its node and executor.
 */
public final class EmbeddedService {

    private final InFlightLimiter inFlightLimiter;
    private final ServerServiceDefinition service;

    /**
     * Bounds of admission control, and sizes from which work is offloaded. Immutable.
     *
     * @param inFlightRequests the bound on requests in flight
     * @param inFlightBytes the bound on bytes of requests and replies in flight
     * @param elements replies with more elements are mapped off the loop
     * @param bytes replies with more bytes of data are mapped off the loop
     * @param requestBytes operations of a batch with more bytes are mapped off the loop
     * @param lines the number of groups of a batch that are open at once
     */
    public record Bounds(
            int inFlightRequests, long inFlightBytes, int elements, int bytes, int requestBytes, int lines) {}

    /**
     * Creates the service.
     *
     * @param name of the node in descriptions
     * @param clock the clock for waits
     * @param aside runs work that takes too long for a partition's loop
     */
    public EmbeddedService(Node node, Bounds bounds, String name, Clock clock, Executor aside) {
        this.inFlightLimiter = new InFlightLimiter(bounds.inFlightRequests(), bounds.inFlightBytes());
        this.service = new TaskMasterService(
                        node,
                        inFlightLimiter,
                        name,
                        clock,
                        new OffloadExecutor(
                                aside, bounds.elements(), bounds.bytes(), bounds.requestBytes(), bounds.lines()),
                        new CompositeMeterRegistry())
                .definition();
    }

    /** Begins a call. */
    public <Q, P> ServerCall.Listener<Q> start(ServerCall<Q, P> call) {
        @SuppressWarnings("unchecked") // the method is that of the call
        var method = (ServerMethodDefinition<Q, P>)
                service.getMethod(call.getMethodDescriptor().getFullMethodName());
        return method.getServerCallHandler().startCall(call, new Metadata());
    }

    /** Refuses new requests from now on, as at the shutdown of the process. */
    public void refuse() {
        inFlightLimiter.drain();
    }

    /** The number of requests in flight. */
    public long requests() {
        return inFlightLimiter.requests();
    }

    /** The bytes of requests and replies in flight. */
    public long bytes() {
        return inFlightLimiter.bytes();
    }
}
