package io.taskmaster.server.rpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.taskmaster.server.partition.Clock;
import io.taskmaster.server.partition.Node;
import java.util.concurrent.Executor;

/**
 * The service of the contract on a node, without a port around it: for simulators and test kits, which bring the calls themselves. As thread-safe
 * as what it is given.
 */
public final class ServiceFace {

    private final Admission admission;
    private final ServerServiceDefinition service;

    /**
     * What it takes on and what it leaves to others.
     *
     * @param inFlightRequests how many at once
     * @param inFlightBytes of requests and replies
     * @param elements larger replies are mapped aside
     * @param bytes likewise, of data
     * @param requestBytes larger operations of a batch are mapped aside
     * @param lines so many groups of a batch are at it at once
     */
    public record Bounds(
            int inFlightRequests, long inFlightBytes, int elements, int bytes, int requestBytes, int lines) {}

    /**
     * @param name of the node in descriptions
     * @param clock by which it waits
     * @param aside does what would take too long on a partition's loop
     */
    public ServiceFace(Node node, Bounds bounds, String name, Clock clock, Executor aside) {
        this.admission = new Admission(bounds.inFlightRequests(), bounds.inFlightBytes());
        this.service = new TaskMasterService(
                        node,
                        admission,
                        name,
                        clock,
                        new Aside(aside, bounds.elements(), bounds.bytes(), bounds.requestBytes(), bounds.lines()),
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

    /** Refuses what is new from now on, as when the process is told to end. */
    public void refuse() {
        admission.drain();
    }

    /** Requests that are not over. */
    public long requests() {
        return admission.requests();
    }

    /** Of requests and replies that are not over. */
    public long bytes() {
        return admission.bytes();
    }
}
