package io.taskmaster.bench.target;

import java.net.InetSocketAddress;

/** A server that somebody else runs. Immutable. */
public record RemoteServer(InetSocketAddress address) implements Target {

    /** Leaves it running. */
    @Override
    public void close() {}
}
