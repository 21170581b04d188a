package io.taskmaster.proxy.http;

import com.google.common.net.HostAndPort;
import com.google.common.net.InetAddresses;
import io.taskmaster.proxy.access.Protection;

/**
 * The host names by which a server may be addressed, as a protection against DNS rebinding. A web page can have its own
 * name resolve to its reader's machine, and is then, to the browser, of the same origin as any server there.
 *
 * <p>A server on the loopback address without access control has no other protection from such a page, so it accepts
 * only addresses, {@code localhost} and the name in its settings. One with access control requires a token, which no
 * page has. One that the network can reach may have any name. Immutable.
 */
final class HostValidator {

    private static final String LOCALHOST = "localhost";

    private final boolean strict;
    private final String own;

    private HostValidator(boolean strict, String own) {
        this.strict = strict;
        this.own = own;
    }

    /**
     * Returns the rule of a server.
     *
     * @param address the address of its port, as in its settings
     */
    static HostValidator of(HostAndPort address, Protection protection) {
        return new HostValidator(
                !protection.access().isControlled() && Protection.isLoopback(address), address.getHost());
    }

    /**
     * Returns whether a request for this host is accepted.
     *
     * @param authority host and port of the request; empty if it has none, which no browser sends
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
