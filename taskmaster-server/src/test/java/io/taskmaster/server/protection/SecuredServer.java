package io.taskmaster.server.protection;

import io.netty.pkitesting.X509Bundle;
import io.taskmaster.proxy.access.Pki;
import io.taskmaster.proxy.access.Role;
import io.taskmaster.proxy.access.Token;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A server with all protection on: two tokens, two client certificates, TLS. It also creates callers of it. */
final class SecuredServer implements AutoCloseable {

    final Pki pki = new Pki("ours");
    final Token reader = Token.make(Role.READ, "reader");
    final Token worker = Token.make(Role.FULL, "worker");
    final Path folder;
    final TaskMasterServer server;

    /**
     * Starts the server.
     *
     * @param folder the folder of its files
     */
    SecuredServer(Path folder) throws Exception {
        this.folder = folder;
        // RSA, since most of the weak suites need it: they must not be refused merely for lack of a key.
        Pki.write(folder, "server", pki.issue(pki.server().rsa2048()));
        Files.writeString(folder.resolve("ca.pem"), pki.authority().getCertificatePEM());
        Files.writeString(
                folder.resolve("access"),
                String.join("\n", reader.line(), worker.line(), "read seer cn:seer", "full doer dns:doer.example.org"));
        server = TaskMasterServer.start(
                TestConfig.reader()
                        .set("access.file", folder.resolve("access").toString())
                        .set("tls.certificate", folder.resolve("server.pem").toString())
                        .set("tls.key", folder.resolve("server.key").toString())
                        .set("tls.client-ca", folder.resolve("ca.pem").toString())
                        .read(),
                Nodes.factory());
    }

    Visitor visitor(Optional<String> token, Optional<X509Bundle> certificate) throws Exception {
        return new Visitor(server, pki.authority(), token, certificate);
    }

    @Override
    public void close() {
        server.close();
    }
}
