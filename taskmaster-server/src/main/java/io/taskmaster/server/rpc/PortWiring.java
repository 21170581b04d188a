package io.taskmaster.server.rpc;

import io.grpc.ServerInterceptor;
import io.taskmaster.server.partition.Clock;
import java.util.List;

/**
 * What stands around the service at its port. Immutable.
 *
 * @param clock by which it waits
 * @param interceptors what each call of the contract goes through, over gRPC and over HTTP; the last one is the outermost, which sees a
 *     request first and its answer last
 */
public record PortWiring(Clock clock, List<ServerInterceptor> interceptors) {

    /** The clock of this machine, and nothing between the port and the service. */
    public static final PortWiring PLAIN = new PortWiring(Clock.system(), List.of());

    public PortWiring {
        interceptors = List.copyOf(interceptors);
    }
}
