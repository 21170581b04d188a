package io.taskmaster.bench.target;

import java.net.InetSocketAddress;

/** A server that this run did not start. Immutable. */
public record RemoteServer(InetSocketAddress address) implements Target {

    /** Does nothing: the server keeps running. */
    @Override
    public void close() {}
}
