package io.taskmaster.server.access;

import com.google.common.net.InetAddresses;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a request comes from: who asks, and from which address. Immutable.
 *
 * @param action what they say that they do by it
 */
public record Caller(Identity identity, SocketAddress address, Optional<String> action) {

    /** An address as host and port; empty if it is not known. */
    public static String format(@Nullable SocketAddress address) {
        if (address instanceof InetSocketAddress inet && !inet.isUnresolved()) {
            return InetAddresses.toUriString(inet.getAddress()) + ":" + inet.getPort();
        }
        return address == null ? "" : address.toString();
    }
}
