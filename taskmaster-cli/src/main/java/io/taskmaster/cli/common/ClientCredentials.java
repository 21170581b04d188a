package io.taskmaster.cli.common;

import io.taskmaster.client.TaskMasterClientBuilder;
import io.taskmaster.proxy.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The files by which a client tells the server who it is. Immutable. */
record ClientCredentials(Optional<Certificate> certificate, Optional<TokenFile> tokenFile) {

    static final ClientCredentials NONE = new ClientCredentials(Optional.empty(), Optional.empty());

    /**
     * Lets a client present them.
     *
     * @throws ConfigException if the token cannot be read
     */
    void addTo(TaskMasterClientBuilder client) {
        certificate.ifPresent(files -> client.clientCertificate(files.chain, files.key));
        tokenFile.ifPresent(file -> client.token(file.read()));
    }

    /**
     * The PEM files of a client certificate.
     *
     * @param chain the certificate and those between it and its authority
     * @param key its private key
     */
    record Certificate(Path chain, Path key) {

        /**
         * Returns the certificate; empty if there is neither file.
         *
         * @param chainOrigin the option or key that the chain is from, for messages
         * @param keyOrigin the same of the private key
         * @throws ConfigException if there is one of them alone
         */
        static Optional<Certificate> of(
                String chainOrigin, Optional<Path> chain, String keyOrigin, Optional<Path> key) {
            if (chain.isPresent() && key.isPresent()) {
                return Optional.of(new Certificate(chain.get(), key.get()));
            }
            if (chain.isPresent()) {
                throw ConfigException.of(chainOrigin, "given alone", "together with " + keyOrigin);
            }
            if (key.isPresent()) {
                throw ConfigException.of(keyOrigin, "given alone", "together with " + chainOrigin);
            }
            return Optional.empty();
        }
    }

    /**
     * A file with a token.
     *
     * @param origin the option, variable or key that the path is from, for messages
     */
    record TokenFile(String origin, Path path) {

        private String read() {
            try {
                return Files.readString(path).strip();
            } catch (IOException e) {
                throw new ConfigException(
                        origin + ": " + path + " (expected: a file that can be read, with a token)", e);
            }
        }
    }
}
