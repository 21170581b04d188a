package io.taskmaster.server.config;

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

    /** All files, in this order. */
    public List<Path> files() {
        return Stream.concat(Stream.of(certificate, key), clientCa.stream()).toList();
    }
}
