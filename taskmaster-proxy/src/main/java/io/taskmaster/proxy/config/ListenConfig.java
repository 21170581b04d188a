package io.taskmaster.proxy.config;

import com.google.common.net.HostAndPort;
import java.util.Optional;

/**
 * The ports of a node: their addresses, TLS, and the connections that they hold. Immutable.
 *
 * @param rpc the address of the gRPC port
 * @param http the address of the HTTP port
 * @param tls the files for TLS on both ports; empty: plain text
 * @param connections the limits on open connections of each port
 */
public record ListenConfig(HostAndPort rpc, HostAndPort http, Optional<TlsConfig> tls, ConnectionLimits connections) {

    /** Returns the validated values. */
    public static ListenConfig of(SettingValues values) {
        return new ListenConfig(
                values.address(PortSetting.LISTEN),
                values.address(PortSetting.HTTP),
                TlsConfig.of(values),
                ConnectionLimits.of(values));
    }

    /** Returns whether clients are asked for a certificate. */
    public boolean requestsClientCertificates() {
        return tls.flatMap(TlsConfig::clientCa).isPresent();
    }
}
