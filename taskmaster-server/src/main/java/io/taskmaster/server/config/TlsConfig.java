package io.taskmaster.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files that TLS needs, all of them PEM. Immutable.
 *
 * @param certificate of this server, and those between it and its authority
 * @param key its private key
 * @param clientCa authorities of client certificates; empty: none are asked for
 */
public record TlsConfig(Path certificate, Path key, Optional<Path> clientCa) {

    /** All of them, in this order. */
    public List<Path> files() {
        return Stream.concat(Stream.of(certificate, key), clientCa.stream()).toList();
    }
}
