package io.taskmaster.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** What this machine is called. Stateless. */
final class HostName {

    private HostName() {}

    /** Its name; empty if it does not know. May ask the network, so it may block. */
    static Optional<String> local() {
        try {
            return Optional.of(InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException nameless) {
            return Optional.empty();
        }
    }
}
