package io.taskmaster.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** What this machine is called. Stateless. */
final class HostName {

    private HostName() {}

    /** Its name; {@code localhost} if it does not know. May ask the network, so it may block. */
    static String local() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "localhost";
        }
    }
}
