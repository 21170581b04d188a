package io.taskmaster.server.http;

import com.google.common.net.HostAndPort;
import com.google.common.net.InetAddresses;
import io.taskmaster.server.access.Protection;
import io.taskmaster.server.config.ServerConfig;

/**
 * By which names a server may be called. A web page can have its own name point to the machine of its reader, and is then, to the browser, of one origin
 * with any server there (DNS rebinding). A server on the loopback address that everybody may use has nothing else between it and such a page, so it answers
 * only to addresses, {@code localhost} and the name in its settings. One with access control is asked for a token, which no page has, and one that the
 * network can reach may have any name. Immutable.
 */
final class HostRule {

    private static final String LOCALHOST = "localhost";

    private final boolean strict;
    private final String own;

    private HostRule(boolean strict, String own) {
        this.strict = strict;
        this.own = own;
    }

    static HostRule of(ServerConfig config, Protection protection) {
        return new HostRule(
                !protection.access().isControlled() && Protection.isLoopback(config.http()),
                config.http().getHost());
    }

    /**
     * @param authority whom a request is for; empty: it does not say, which no browser does
     */
    boolean allows(String authority) {
        if (!strict || authority.isEmpty()) {
            return true;
        }
        try {
            String host = HostAndPort.fromString(authority).getHost();
            return InetAddresses.isInetAddress(host) || host.equalsIgnoreCase(LOCALHOST) || host.equalsIgnoreCase(own);
        } catch (IllegalArgumentException noHost) {
            return false;
        }
    }
}
