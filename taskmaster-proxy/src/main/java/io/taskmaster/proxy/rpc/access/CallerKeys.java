package io.taskmaster.proxy.rpc.access;

import com.google.protobuf.MessageLite;
import io.grpc.Attributes;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ServerCall;
import io.taskmaster.proxy.access.Identity;
import io.taskmaster.v1.LeaseRequest;

/**
 * Names by which admission control tells callers apart: the name that a caller has proven, if any; else the address and
 * port of its connection and, for leases, the worker name in the request. Thread-safe: stateless.
 */
public final class CallerKeys {

    private static final Attributes.Key<String> NAME = Attributes.Key.create("io.taskmaster.caller");

    private CallerKeys() {}

    /** Attaches the name of its caller to a call, if the name was proven. */
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

    /**
     * Returns the name of a request's caller. Proven names have no colon, and addresses with a port have one, so the
     * two never clash.
     */
    public static String of(Attributes attributes, MessageLite request) {
        String name = attributes.get(NAME);
        if (name != null) {
            return name;
        }
        String address = PeerAddresses.nameOf(attributes);
        return request instanceof LeaseRequest lease && !lease.getWorker().isEmpty()
                ? address + " " + lease.getWorker()
                : address;
    }
}
