package io.taskmaster.cli.common;

import com.google.common.net.HostAndPort;
import com.google.common.net.InetAddresses;
import io.taskmaster.proxy.config.ConfigException;
import java.util.Optional;

/** Addresses of servers, as users write them. Stateless. */
public final class ServerAddress {

    /** The address of a server with default settings on this machine. */
    public static final String DEFAULT = "127.0.0.1:7400";

    private static final int DEFAULT_PORT = 7400;

    private ServerAddress() {}

    /** The scheme of gRPC that may stand before a host without a slash. Clients have no other. */
    private static final String DNS = "dns:";

    /**
     * Returns the target of a client: the host with its port, or with 7400 if it has none. A target of gRPC with a
     * scheme, as {@code dns:///host:7400} or {@code dns:host:7400}, is returned as it is.
     *
     * @param origin the option, variable or key that the text is from
     */
    public static String parse(String origin, String text) {
        if (hasScheme(text)) {
            return text;
        }
        HostAndPort address;
        try {
            address = HostAndPort.fromString(text).withDefaultPort(DEFAULT_PORT);
        } catch (IllegalArgumentException malformed) {
            throw refusal(origin, text);
        }
        String host = address.getHost();
        if (host.isBlank() || (host.contains(":") && !InetAddresses.isInetAddress(host))) {
            throw refusal(origin, text);
        }
        return address.toString();
    }

    /** Returns the host and port of a target; empty if it has a scheme. */
    static Optional<HostAndPort> hostAndPort(String target) {
        return hasScheme(target) ? Optional.empty() : Optional.of(HostAndPort.fromString(target));
    }

    private static boolean hasScheme(String text) {
        return text.contains("/") || text.startsWith(DNS);
    }

    private static ConfigException refusal(String origin, String text) {
        return ConfigException.of(origin, text, "HOST or HOST:PORT");
    }
}
