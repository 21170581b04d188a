package io.taskmaster.proxy.rpc.access;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.ServerTransportFilter;
import io.taskmaster.proxy.access.Caller;

/**
 * Transport filter that formats the peer's address once per connection, so that no request has to. Thread-safe:
 * stateless.
 */
public final class PeerAddresses extends ServerTransportFilter {

    private static final Attributes.Key<String> NAME = Attributes.Key.create("io.taskmaster.peer");

    @Override
    public Attributes transportReady(Attributes attributes) {
        return named(attributes, Caller.format(attributes.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)));
    }

    static Attributes named(Attributes attributes, String name) {
        return attributes.toBuilder().set(NAME, name).build();
    }

    /** Returns the address of the peer, as host and port; empty if it is not known. */
    public static String nameOf(Attributes attributes) {
        String name = attributes.get(NAME);
        return name == null ? "" : name;
    }
}
