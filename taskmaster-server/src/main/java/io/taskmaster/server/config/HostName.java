package io.taskmaster.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** The name of this machine. Stateless. */
final class HostName {

    private HostName() {}

    /** Returns its name; empty if it is unknown. May query the network, so it may block. */
    static Optional<String> local() {
        try {
            return Optional.of(InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException nameless) {
            return Optional.empty();
        }
    }
}
