package io.taskmaster.proxy.rpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.taskmaster.proxy.route.Router;
import io.taskmaster.proxy.rpc.call.InFlightLimiter;
import io.taskmaster.proxy.rpc.call.OffloadExecutor;
import io.taskmaster.proxy.rpc.call.ServiceContext;
import io.taskmaster.time.Clock;
import java.util.concurrent.Executor;

/**
 * The service of the contract on a router, without a port around it: for simulators and test kits, which bring the
 * calls themselves. As thread-safe as its router and executor.
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
     * @param maxOpenGroups the number of groups of a batch that are open at once
     */
    public record Bounds(
            int inFlightRequests, long inFlightBytes, int elements, int bytes, int requestBytes, int maxOpenGroups) {}

    /**
     * Creates the service.
     *
     * @param name of the node in descriptions
     * @param clock the clock for waits
     * @param offloadExecutor runs work that takes too long for a partition's loop
     */
    public EmbeddedService(Router router, Bounds bounds, String name, Clock clock, Executor offloadExecutor) {
        this.inFlightLimiter = new InFlightLimiter(bounds.inFlightRequests(), bounds.inFlightBytes());
        this.service = new TaskMasterService(
                        router,
                        name,
                        new ServiceContext(
                                inFlightLimiter,
                                clock,
                                new OffloadExecutor(
                                        offloadExecutor,
                                        bounds.elements(),
                                        bounds.bytes(),
                                        bounds.requestBytes(),
                                        bounds.maxOpenGroups()),
                                new CompositeMeterRegistry()))
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
