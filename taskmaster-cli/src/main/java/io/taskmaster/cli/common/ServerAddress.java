package io.taskmaster.cli.common;

import com.google.common.net.HostAndPort;
import io.taskmaster.proxy.config.ConfigException;

/** Addresses of servers, as users write them. Stateless. */
public final class ServerAddress {

    /** The address of a server with default settings on this machine. */
    public static final String DEFAULT = "127.0.0.1:7400";

    private static final int DEFAULT_PORT = 7400;

    private ServerAddress() {}

    /**
     * Returns the target of a client: the host with its port, or with 7400 if it has none. A target of gRPC with a
     * scheme, as {@code dns:///host:7400}, is returned as it is.
     *
     * @param origin the option, variable or key that the text is from
     */
    public static String parse(String origin, String text) {
        if (text.contains("/")) {
            return text;
        }
        HostAndPort address;
        try {
            address = HostAndPort.fromString(text).withDefaultPort(DEFAULT_PORT);
        } catch (IllegalArgumentException malformed) {
            throw refusal(origin, text);
        }
        if (address.getHost().isBlank()) {
            throw refusal(origin, text);
        }
        return address.toString();
    }

    private static ConfigException refusal(String origin, String text) {
        return ConfigException.of(origin, text, "HOST or HOST:PORT");
    }
}
