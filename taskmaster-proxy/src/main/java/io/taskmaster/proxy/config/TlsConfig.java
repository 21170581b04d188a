package io.taskmaster.proxy.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files for TLS, all of them PEM. Immutable.
 *
 * @param certificate the certificate of this server, and the intermediate ones
 * @param key its private key
 * @param clientCa the authorities of client certificates; empty: clients are not asked for certificates
 */
public record TlsConfig(Path certificate, Path key, Optional<Path> clientCa) {

    /** Returns the validated values. */
    public static Optional<TlsConfig> of(SettingValues values) {
        Optional<Path> certificate = values.file(PortSetting.TLS_CERTIFICATE);
        Optional<Path> key = values.file(PortSetting.TLS_KEY);
        Optional<Path> clientCa = values.file(PortSetting.TLS_CLIENT_CA);
        if (certificate.isPresent() != key.isPresent()) {
            throw ConfigException.of(
                    (certificate.isPresent() ? PortSetting.TLS_KEY : PortSetting.TLS_CERTIFICATE).key(),
                    "empty",
                    "a file, together with "
                            + (certificate.isPresent() ? PortSetting.TLS_CERTIFICATE : PortSetting.TLS_KEY).key());
        }
        // Without an access file there are no principals that a certificate could identify.
        if (clientCa.isPresent()
                && (certificate.isEmpty()
                        || values.file(PortSetting.ACCESS_FILE).isEmpty())) {
            throw ConfigException.of(
                    PortSetting.TLS_CLIENT_CA.key(),
                    clientCa.get().toString(),
                    "empty, unless " + PortSetting.TLS_CERTIFICATE.key() + " and " + PortSetting.ACCESS_FILE.key()
                            + " are set");
        }
        return certificate.flatMap(chain -> key.map(secret -> new TlsConfig(chain, secret, clientCa)));
    }

    /** All files, in this order. */
    public List<Path> files() {
        return Stream.concat(Stream.of(certificate, key), clientCa.stream()).toList();
    }
}
