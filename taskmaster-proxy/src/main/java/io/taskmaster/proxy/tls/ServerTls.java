package io.taskmaster.proxy.tls;

import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.grpc.util.AdvancedTlsX509TrustManager.Verification;
import io.taskmaster.proxy.config.PortSetting;
import io.taskmaster.proxy.config.TlsConfig;
import io.taskmaster.proxy.config.WatchedFiles;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/**
 * The TLS context of both ports: a single one, so that both enforce the same rules. New connections use the
 * certificates that are in the files at that time; open connections keep theirs. Thread-safe.
 */
public final class ServerTls implements AutoCloseable {

    /** The protocols. Older ones are broken. */
    public static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    /**
     * The cipher suites, in order of preference. All have forward secrecy and authenticated encryption, and browsers of
     * the last ten years support them.
     */
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

    /**
     * The life of a session. A resumed session keeps the client certificate of its first handshake, so a removed
     * authority stays trusted for this time.
     */
    private static final int SESSION_SECONDS = 600;

    private final SSLContext context;
    private final boolean requestsClientCertificates;
    private final WatchedFiles files;

    private ServerTls(TlsConfig config) throws GeneralSecurityException {
        requestsClientCertificates = config.clientCa().isPresent();
        var key = new AdvancedTlsX509KeyManager();
        var authorities = AdvancedTlsX509TrustManager.newBuilder()
                .setVerification(Verification.CERTIFICATE_ONLY_VERIFICATION)
                .build();
        files = WatchedFiles.open(
                "tls", config.files(), contents -> install(Material.parse(config, contents), key, authorities));
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(new KeyManager[] {key}, new TrustManager[] {authorities}, null);
        tls.getServerSessionContext().setSessionTimeout(SESSION_SECONDS);
        context = new StrictContext(tls, parameters(requestsClientCertificates));
    }

    private static SSLParameters parameters(boolean requestsClientCertificates) {
        var parameters = new SSLParameters(CIPHER_SUITES.toArray(String[]::new), PROTOCOLS.toArray(String[]::new));
        parameters.setUseCipherSuitesOrder(true);
        parameters.setWantClientAuth(requestsClientCertificates);
        return parameters;
    }

    private static void install(
            Material material, AdvancedTlsX509KeyManager key, AdvancedTlsX509TrustManager authorities) {
        try {
            key.updateIdentityCredentials(material.chain(), material.key());
            authorities.updateTrustCredentials(material.clientAuthorities());
        } catch (IOException | GeneralSecurityException e) {
            throw Material.broken(PortSetting.TLS_CLIENT_CA, e);
        }
    }

    /** Opens the TLS of these files. Blocks while it reads them. */
    public static ServerTls open(TlsConfig config) {
        try {
            return new ServerTls(config);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a JVM without TLS", e);
        }
    }

    /**
     * The context, for server sockets and engines only: all of them get the protocols and suites above, and ask for
     * certificates or not.
     */
    public SSLContext context() {
        return context;
    }

    /**
     * Returns whether clients are asked for a certificate. Clients without one are served as far as they are permitted.
     */
    public boolean requestsClientCertificates() {
        return requestsClientCertificates;
    }

    /** Stops watching the files. Idempotent. */
    @Override
    public void close() {
        files.close();
    }
}
