package io.taskmaster.server.rpc;

import com.google.protobuf.MessageLite;
import io.grpc.Attributes;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ServerCall;
import io.taskmaster.server.access.Identity;
import io.taskmaster.v1.LeaseRequest;

/**
 * Callers, as admission tells them apart: by the name that they have shown to have; without one, by the address and port of their connection and, where they lease, the worker that they
 * say they are. Stateless.
 */
final class CallerNames {

    private static final Attributes.Key<String> NAME = Attributes.Key.create("io.taskmaster.caller");

    private CallerNames() {}

    /** A call of somebody with this name, if it is one that was given to them. */
    static <Q, P> ServerCall<Q, P> named(ServerCall<Q, P> call, String name) {
        if (!Identity.isGiven(name)) {
            return call;
        }
        Attributes attributes = call.getAttributes().toBuilder().set(NAME, name).build();
        return new SimpleForwardingServerCall<>(call) {
            @Override
            public Attributes getAttributes() {
                return attributes;
            }
        };
    }

    /** Whose a request is. Names have no colon, addresses with a port have one. */
    static String of(Attributes attributes, MessageLite request) {
        String name = attributes.get(NAME);
        if (name != null) {
            return name;
        }
        String address = Peers.nameOf(attributes);
        return request instanceof LeaseRequest lease && !lease.getWorker().isEmpty()
                ? address + " " + lease.getWorker()
                : address;
    }
}
