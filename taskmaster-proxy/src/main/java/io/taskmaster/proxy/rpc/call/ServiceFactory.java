package io.taskmaster.proxy.rpc.call;

import io.grpc.ServerServiceDefinition;

/** A factory of a service of the gRPC port. */
@FunctionalInterface
public interface ServiceFactory {

    /** Returns the service, with the limits and the clock of the port. */
    ServerServiceDefinition create(ServiceContext context);
}
