package io.taskmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.cli.common.Terminal;
import io.taskmaster.proxy.access.Pki;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import io.taskmaster.time.Clock;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of what commands say when TLS, certificates or ports of client and server do not fit. */
@Timeout(300)
final class ConnectionProblemsIT {

    private final StringWriter err = new StringWriter();
    private final Pki pki;

    @TempDir
    private Path folder = Path.of("");

    ConnectionProblemsIT() throws Exception {
        pki = new Pki("CA");
    }

    @BeforeEach
    void writeCertificates() throws Exception {
        Files.writeString(folder.resolve("ca.pem"), pki.authority().getCertificatePEM());
        Files.writeString(
                folder.resolve("other-ca.pem"), new Pki("other CA").authority().getCertificatePEM());
        Pki.write(folder, "server", pki.issue(pki.server()));
    }

    @Test
    void aPlainClientIsToldThatThePortHasTls() throws Exception {
        try (TaskMasterServer server = secured("server")) {
            String said =
                    "taskmaster: NOT_CONNECTED: the server expects TLS on this port, and this client does not use it."
                            + " Use --tls, or --ca with the certificate of its authority.\n";
            assertThat(said(server.rpcPort(), "queues")).isEqualTo(said);
            assertThat(said(server.rpcPort(), "enqueue", "q", "d")).isEqualTo(said);
        }
    }

    @Test
    void aClientWithTlsIsToldThatThePortIsPlain() throws Exception {
        try (TaskMasterServer server = TaskMasterServer.start(TestConfig.freePorts(), Nodes.factory())) {
            assertThat(said(server.rpcPort(), "queues", "--ca", file("ca.pem")))
                    .startsWith(
                            "taskmaster: NOT_CONNECTED: the server does not use TLS on this port, and this client does."
                                    + " Leave out --tls");
        }
    }

    @Test
    void anUntrustedCertificateIsSaidToBeUntrusted() throws Exception {
        try (TaskMasterServer server = secured("server")) {
            for (List<String> trust : List.of(List.of("--ca", file("other-ca.pem")), List.of("--tls"))) {
                List<String> words = new ArrayList<>(List.of("queues"));
                words.addAll(trust);
                assertThat(said(server.rpcPort(), words.toArray(String[]::new)))
                        .isEqualTo("taskmaster: NOT_CONNECTED: the certificate of the server is not signed by an"
                                + " authority that this client trusts: unable to find valid certification path to"
                                + " requested target. Give the certificate of its authority: --ca.\n");
            }
        }
    }

    @Test
    void aCertificateOfAnotherHostIsSaidToBeOfAnother() throws Exception {
        Pki.write(
                folder,
                "elsewhere",
                pki.issue(pki.client("elsewhere")
                        .addSanDnsName("elsewhere.example.org")
                        .addExtendedKeyUsageServerAuth()));
        try (TaskMasterServer server = secured("elsewhere")) {
            assertThat(said(server.rpcPort(), "queues", "--ca", file("ca.pem")))
                    .startsWith(
                            "taskmaster: NOT_CONNECTED: the certificate of the server is for another host: No subject"
                                    + " alternative names matching IP address 127.0.0.1 found. Use a host name");
        }
    }

    @Test
    void anExpiredCertificateIsSaidToBeExpired() throws Exception {
        Pki.write(
                folder,
                "expired",
                pki.issue(pki.server()
                        .notBefore(Instant.now().minus(Duration.ofDays(20)))
                        .notAfter(Instant.now().minus(Duration.ofDays(10)))));
        try (TaskMasterServer server = secured("expired")) {
            assertThat(said(server.rpcPort(), "queues", "--ca", file("ca.pem")))
                    .startsWith("taskmaster: NOT_CONNECTED: the certificate of the server is expired, or not valid yet:"
                            + " NotAfter: ");
        }
    }

    @Test
    void theHttpPortIsRecognized() throws Exception {
        try (TaskMasterServer server = TaskMasterServer.start(TestConfig.freePorts(), Nodes.factory())) {
            assertThat(said(server.httpPort(), "queues"))
                    .isEqualTo("taskmaster: NOT_CONNECTED: this is an HTTP port, and not a gRPC port."
                            + " Use the gRPC port of the server, by default 7400.\n");
        }
    }

    private TaskMasterServer secured(String certificate) throws Exception {
        return TaskMasterServer.start(
                TestConfig.reader()
                        .set("tls.certificate", file(certificate + ".pem"))
                        .set("tls.key", file(certificate + ".key"))
                        .read(),
                Nodes.factory());
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private String said(int port, String... arguments) {
        err.getBuffer().setLength(0);
        var words = new ArrayList<>(List.of(arguments));
        words.add("--server");
        words.add("127.0.0.1:" + port);
        var terminal = new Terminal(
                InputStream.nullInputStream(),
                new PrintWriter(new StringWriter()),
                new PrintWriter(err),
                false,
                Clock.system());
        assertThat(new Commands(terminal, List.of()).run(words.toArray(String[]::new)))
                .isEqualTo(1);
        return err.toString();
    }
}
