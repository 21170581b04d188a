package io.taskmaster.server.tls;

import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.grpc.util.AdvancedTlsX509TrustManager.Verification;
import io.taskmaster.server.config.ServerConfig;
import io.taskmaster.server.config.Setting;
import io.taskmaster.server.config.TlsConfig;
import io.taskmaster.server.config.WatchedFiles;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/**
 * What both ports speak TLS with: one context, so that there is one answer to what is allowed. New connections get the certificates that are in the files
 * by then; those that are open keep theirs. Thread-safe.
 */
public final class ServerTls implements AutoCloseable {

    /** Older ones can be broken. */
    public static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    /** With forward secrecy and authenticated encryption, all of them; what browsers of the last ten years can do. In the order of our liking. */
    public static final List<String> CIPHER_SUITES = List.of(
            "TLS_AES_256_GCM_SHA384",
            "TLS_AES_128_GCM_SHA256",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    /** A resumed session shows the client certificate of the first one: an authority that is taken away still counts for so long. */
    private static final int SESSION_SECONDS = 600;

    private final SSLContext context;
    private final boolean asksForCertificates;
    private final WatchedFiles files;

    private ServerTls(TlsConfig config) throws GeneralSecurityException {
        asksForCertificates = config.clientCa().isPresent();
        var key = new AdvancedTlsX509KeyManager();
        var authorities = AdvancedTlsX509TrustManager.newBuilder()
                .setVerification(Verification.CERTIFICATE_ONLY_VERIFICATION)
                .build();
        files = WatchedFiles.open(
                "tls", config.files(), contents -> install(Material.parse(config, contents), key, authorities));
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(new KeyManager[] {key}, new TrustManager[] {authorities}, null);
        tls.getServerSessionContext().setSessionTimeout(SESSION_SECONDS);
        context = new StrictContext(tls, parameters(asksForCertificates));
    }

    private static SSLParameters parameters(boolean asksForCertificates) {
        var parameters = new SSLParameters(CIPHER_SUITES.toArray(String[]::new), PROTOCOLS.toArray(String[]::new));
        parameters.setUseCipherSuitesOrder(true);
        parameters.setWantClientAuth(asksForCertificates);
        return parameters;
    }

    private static void install(
            Material material, AdvancedTlsX509KeyManager key, AdvancedTlsX509TrustManager authorities) {
        try {
            key.updateIdentityCredentials(material.chain(), material.key());
            authorities.updateTrustCredentials(material.clientAuthorities());
        } catch (IOException | GeneralSecurityException e) {
            throw Material.broken(Setting.TLS_CLIENT_CA, e);
        }
    }

    /** As the settings say; empty: plain text. Blocks. */
    public static Optional<ServerTls> open(ServerConfig config) {
        return config.tls().map(files -> {
            try {
                return new ServerTls(files);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("a JVM without TLS", e);
            }
        });
    }

    /** For server sockets and engines alone: all of them have the protocols and suites above, and ask for certificates or not. */
    public SSLContext context() {
        return context;
    }

    /** Whether clients are asked for a certificate; those that have none are served as far as they may. */
    public boolean asksForCertificates() {
        return asksForCertificates;
    }

    /** Looks at the files no more. Idempotent. */
    @Override
    public void close() {
        files.close();
    }
}
