package io.taskmaster.conformance.clients;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.CertificateBuilder.KeyUsage;
import io.netty.pkitesting.X509Bundle;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.harness.process.ChildJvm;
import io.taskmaster.harness.process.JvmCommand;
import io.taskmaster.proxy.access.Role;
import io.taskmaster.proxy.access.Token;
import io.taskmaster.testkit.FreePort;
import io.taskmaster.testkit.Health;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A server process with TLS and one token. Closing it kills it. Thread-safe. */
final class SecuredProcess implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(90);

    private final Path folder;
    private final String target;
    private final String token;
    private final ChildJvm jvm;

    private SecuredProcess(Path folder, InetSocketAddress address, Token token, ChildJvm jvm) {
        this.folder = folder;
        this.target = address.getAddress().getHostAddress() + ":" + address.getPort();
        this.token = token.secret();
        this.jvm = jvm;
    }

    /** Starts a server whose files are in a folder, and waits until it listens. Blocks. */
    static SecuredProcess start(Path folder) throws Exception {
        X509Bundle authority = new CertificateBuilder()
                .ecp256()
                .subject("CN=examples")
                .setIsCertificateAuthority(true)
                .setKeyUsage(true, KeyUsage.digitalSignature, KeyUsage.keyCertSign)
                .buildSelfSigned();
        X509Bundle server = new CertificateBuilder()
                .ecp256()
                .subject("CN=server")
                .addSanIpAddress("127.0.0.1")
                .addExtendedKeyUsageServerAuth()
                .buildIssuedBy(authority);
        Token token = Token.make(Role.FULL, "worker");
        Files.writeString(folder.resolve("ca.pem"), authority.getCertificatePEM());
        Files.writeString(folder.resolve("server.pem"), server.getCertificatePathPEM());
        Files.writeString(folder.resolve("server.key"), server.getPrivateKeyPEM());
        Files.writeString(folder.resolve("access"), token.line());
        Files.writeString(folder.resolve("token"), token.secret());
        return FreePort.open(address -> startAt(folder, address, token));
    }

    private static SecuredProcess startAt(Path folder, InetSocketAddress address, Token token)
            throws FreePort.TakenException, InterruptedException {
        JvmCommand command = JvmCommand.of(
                        "io.taskmaster.cli.Main",
                        List.of(
                                "server",
                                "--store=memory",
                                "--listen=" + address.getAddress().getHostAddress() + ":" + address.getPort(),
                                "--http=127.0.0.1:0",
                                "--set=access.file=" + folder.resolve("access"),
                                "--set=tls.certificate=" + folder.resolve("server.pem"),
                                "--set=tls.key=" + folder.resolve("server.key")))
                .withFlags(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        ChildJvm jvm = ChildJvm.start(command, folder.resolve("server.log"));
        if (!Health.awaitListening(address, START_LIMIT, jvm::isAlive)) {
            String output = jvm.lastOutput();
            jvm.close();
            FreePort.throwIfTaken(output);
            throw new IllegalStateException("the server does not listen: " + output);
        }
        return new SecuredProcess(folder, address, token, jvm);
    }

    TaskMasterClient connect() {
        return TaskMasterClient.builder(target)
                .tls(folder.resolve("ca.pem"))
                .token(token)
                .build();
    }

    /** Returns the configuration of a worker. */
    Map<String, String> variables(String group) {
        return Map.of(
                "TASKMASTER_SERVER",
                target,
                "TASKMASTER_GROUP",
                group,
                "TASKMASTER_CA",
                folder.resolve("ca.pem").toString(),
                "TASKMASTER_TOKEN_FILE",
                folder.resolve("token").toString());
    }

    @Override
    public void close() {
        jvm.close();
    }
}
