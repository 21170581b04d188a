package io.taskmaster.proxy.rpc;

import io.grpc.ServerInterceptor;
import io.taskmaster.time.Clock;
import java.util.List;

/**
 * The environment of the service at its port. Immutable.
 *
 * @param clock the clock for waits
 * @param interceptors of each call of the contract and of further services, over gRPC and over HTTP; the last one is
 *     the outermost, which sees a request first and its answer last
 */
public record RpcServerOptions(Clock clock, List<ServerInterceptor> interceptors) {

    /** The clock of this machine, and no interceptors. */
    public static final RpcServerOptions PLAIN = new RpcServerOptions(Clock.system(), List.of());

    public RpcServerOptions {
        interceptors = List.copyOf(interceptors);
    }
}
