package io.taskmaster.proxy.access;

import com.google.common.net.InetAddresses;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a request: identity and address of the caller. Immutable.
 *
 * @param action the name that the caller gives to what it does, for the audit log
 */
public record Caller(Identity identity, SocketAddress address, Optional<String> action) {

    /** Returns an address as host and port; empty if it is not known. */
    public static String format(@Nullable SocketAddress address) {
        if (address instanceof InetSocketAddress inet && !inet.isUnresolved()) {
            return InetAddresses.toUriString(inet.getAddress()) + ":" + inet.getPort();
        }
        return address == null ? "" : address.toString();
    }
}
