package io.taskmaster.server.protection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.util.CertificateUtils;
import io.netty.pkitesting.X509Bundle;
import io.taskmaster.proxy.access.Pki;
import io.taskmaster.proxy.tls.ServerTls;
import io.taskmaster.server.protection.ClientHello.Chosen;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of TLS on both ports, as a scanner sees it. */
@Timeout(120)
final class TlsIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int LIMIT_MILLIS = 20_000;

    /** The strong suites of TLS 1.2 for an RSA certificate, by their numbers. */
    private static final Map<Integer, String> STRONG = Map.of(
            0xc02f, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            0xc030, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            0xcca8, "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private static final Map<Integer, String> WEAK = new TreeMap<>(Map.ofEntries(
            Map.entry(0x0001, "RSA_WITH_NULL_MD5"),
            Map.entry(0x0004, "RSA_WITH_RC4_128_MD5"),
            Map.entry(0x000a, "RSA_WITH_3DES_EDE_CBC_SHA"),
            Map.entry(0x0018, "DH_anon_WITH_RC4_128_MD5"),
            Map.entry(0x002f, "RSA_WITH_AES_128_CBC_SHA"),
            Map.entry(0x0033, "DHE_RSA_WITH_AES_128_CBC_SHA"),
            Map.entry(0x003c, "RSA_WITH_AES_128_CBC_SHA256"),
            Map.entry(0x0067, "DHE_RSA_WITH_AES_128_CBC_SHA256"),
            Map.entry(0x009c, "RSA_WITH_AES_128_GCM_SHA256"),
            Map.entry(0x009d, "RSA_WITH_AES_256_GCM_SHA384"),
            Map.entry(0xc011, "ECDHE_RSA_WITH_RC4_128_SHA"),
            Map.entry(0xc012, "ECDHE_RSA_WITH_3DES_EDE_CBC_SHA"),
            Map.entry(0xc013, "ECDHE_RSA_WITH_AES_128_CBC_SHA"),
            Map.entry(0xc014, "ECDHE_RSA_WITH_AES_256_CBC_SHA"),
            Map.entry(0xc018, "ECDH_anon_WITH_AES_128_CBC_SHA"),
            Map.entry(0xc027, "ECDHE_RSA_WITH_AES_128_CBC_SHA256"),
            Map.entry(0xc028, "ECDHE_RSA_WITH_AES_256_CBC_SHA384")));

    @TempDir
    private Path folder = Path.of("");

    private SecuredServer secured;

    @BeforeEach
    void start() throws Exception {
        secured = new SecuredServer(folder);
    }

    @AfterEach
    void stop() {
        secured.close();
    }

    private List<Integer> ports() {
        return List.of(secured.server.rpcPort(), secured.server.httpPort());
    }

    @Test
    void oldVersionsAreRefused() throws IOException {
        List<Integer> all =
                Stream.concat(STRONG.keySet().stream(), WEAK.keySet().stream()).toList();
        for (int port : ports()) {
            assertThat(new ClientHello(ClientHello.TLS_1_0, all).send(port)).isEmpty();
            assertThat(new ClientHello(ClientHello.TLS_1_1, all).send(port)).isEmpty();
        }
    }

    @Test
    void onlySuitesWithForwardSecrecyAndAuthenticatedEncryptionAreTaken() throws IOException {
        for (int port : ports()) {
            for (int suite : STRONG.keySet()) {
                assertThat(new ClientHello(ClientHello.TLS_1_2, List.of(suite)).send(port))
                        .as(STRONG.get(suite))
                        .contains(new Chosen(ClientHello.TLS_1_2, suite));
            }
            for (int suite : WEAK.keySet()) {
                assertThat(new ClientHello(ClientHello.TLS_1_2, List.of(suite)).send(port))
                        .as(WEAK.get(suite))
                        .isEmpty();
            }
        }
    }

    @Test
    void theListNamesNoOther() {
        assertThat(ServerTls.CIPHER_SUITES)
                .containsAll(STRONG.values())
                .allMatch(suite ->
                        suite.matches("TLS_(ECDHE_(RSA|ECDSA)_WITH_)?(AES_\\d+_GCM|CHACHA20_POLY1305)_SHA\\d+"));
    }

    @Test
    void thirteenAndTwelveAreSpokenWithTheCertificateOfTheSettings() throws Exception {
        for (int port : ports()) {
            for (String version : List.of("TLSv1.3", "TLSv1.2")) {
                SSLSession session = handshake(port, version);

                assertThat(session.getProtocol()).isEqualTo(version);
                assertThat(ServerTls.CIPHER_SUITES).contains(session.getCipherSuite());
                assertThat(certificateOf(session)).isEqualTo(pem("server.pem"));
            }
        }
    }

    @Test
    void plainTextGetsNoAnswer() throws IOException {
        for (int port : ports()) {
            for (String hello :
                    List.of("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")) {
                assertThat(answer(port, hello)).as(hello).doesNotContain("HTTP", "SERVING");
            }
        }
    }

    @Test
    void whoDoesNotBeginAHandshakeIsHungUpOn() throws IOException {
        try (var rpc = new Socket(InetAddress.getLoopbackAddress(), secured.server.rpcPort());
                var http = new Socket(InetAddress.getLoopbackAddress(), secured.server.httpPort())) {
            assertThat(rpc.getInputStream().readAllBytes()).hasSizeLessThan(1000);
            assertThat(http.getInputStream().readAllBytes()).hasSizeLessThan(1000);
        }
    }

    @Test
    void newFilesCountForNewConnectionsOnceTheyBelongTogether() throws Exception {
        X509Bundle next = secured.pki.issue(secured.pki.server());
        Certificate old = pem("server.pem");
        Pki.write(folder, "server", next);

        for (int port : ports()) {
            await().atMost(LIMIT).until(() -> certificateOf(handshake(port, "TLSv1.3")), next.getCertificate()::equals);
            assertThat(certificateOf(handshake(port, "TLSv1.2"))).isNotEqualTo(old);
        }
    }

    private SSLSession handshake(int port, String version) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {secured.pki.authority().toTrustManager()}, null);
        try (var socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(LIMIT_MILLIS);
            socket.setEnabledProtocols(new String[] {version});
            // The gRPC port requires it.
            var parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {port == secured.server.rpcPort() ? "h2" : "http/1.1"});
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return socket.getSession();
        }
    }

    private static Certificate certificateOf(SSLSession session) throws SSLException {
        return session.getPeerCertificates()[0];
    }

    private Certificate pem(String name) throws Exception {
        return Arrays.stream(CertificateUtils.getX509Certificates(Files.newInputStream(folder.resolve(name))))
                .findFirst()
                .orElseThrow();
    }

    private static String answer(int port, String request) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(LIMIT_MILLIS);
            socket.getOutputStream().write(request.getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        } catch (SocketException hungUp) {
            return Optional.ofNullable(hungUp.getMessage()).orElse("");
        }
    }
}
