package io.taskmaster.proxy.access;

import com.google.common.net.HostAndPort;
import io.taskmaster.proxy.config.AccessConfig;
import io.taskmaster.proxy.config.ListenConfig;
import io.taskmaster.proxy.config.PortSetting;
import io.taskmaster.proxy.config.Setting;
import io.taskmaster.proxy.tls.ServerTls;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The protection of both ports from the network: access control and TLS. Thread-safe. */
public record Protection(Access access, Optional<ServerTls> tls) implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Protection.class);

    /**
     * Opens access control and TLS by the settings, and logs a warning for each port that they leave open to the
     * network. Blocks.
     */
    public static Protection open(ListenConfig listen, AccessConfig control) {
        Access access = Access.open(control, listen.requestsClientCertificates());
        Protection protection;
        try {
            protection = new Protection(access, listen.tls().map(ServerTls::open));
        } catch (RuntimeException e) {
            access.close();
            throw e;
        }
        protection.warnOf(PortSetting.LISTEN, listen.rpc());
        protection.warnOf(PortSetting.HTTP, listen.http());
        return protection;
    }

    private void warnOf(Setting port, HostAndPort address) {
        if (isLoopback(address)) {
            return;
        }
        if (!access.isControlled()) {
            LOG.warn(
                    "{}: {} is open to the network without access control, so any caller may do anything; set {} to restrict it",
                    port.key(),
                    address,
                    PortSetting.ACCESS_FILE.key());
        }
        if (tls.isEmpty()) {
            LOG.warn(
                    "{}: {} is open to the network without TLS, so tokens and tasks are sent in plain text; set {} to encrypt them",
                    port.key(),
                    address,
                    PortSetting.TLS_CERTIFICATE.key());
        }
    }

    /** Returns whether only this machine can reach an address. Resolves a name, which may block. */
    public static boolean isLoopback(HostAndPort address) {
        var resolved = new InetSocketAddress(address.getHost(), address.getPort());
        return !resolved.isUnresolved() && resolved.getAddress().isLoopbackAddress();
    }

    /** Stops watching the files. Idempotent. */
    @Override
    public void close() {
        access.close();
        tls.ifPresent(ServerTls::close);
    }
}
