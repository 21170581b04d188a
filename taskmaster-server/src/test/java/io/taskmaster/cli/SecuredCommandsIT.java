package io.taskmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.X509Bundle;
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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the command that creates tokens, and of commands that use them. */
final class SecuredCommandsIT {

    @TempDir
    private Path folder = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void aTokenIsMadePutIntoTheFileAndUsed() throws Exception {
        assertThat(run("token", "read", "me", "--token-file", file("read.token")))
                .isZero();
        String reader = out.toString();
        assertThat(run("token", "full", "us", "--token-file", file("full.token")))
                .isZero();
        Files.writeString(folder.resolve("access"), reader + out + "full ops cn:ops\n");
        Pki pki = new Pki("CA");
        X509Bundle authority = pki.authority();
        Files.writeString(folder.resolve("ca.pem"), authority.getCertificatePEM());
        Pki.write(folder, "server", pki.issue(pki.server()));
        Pki.write(folder, "ops", pki.issue(pki.client("ops")));

        try (var server = TaskMasterServer.start(
                TestConfig.reader()
                        .set("access.file", file("access"))
                        .set("tls.certificate", file("server.pem"))
                        .set("tls.key", file("server.key"))
                        .set("tls.client-ca", file("ca.pem"))
                        .read(),
                Nodes.factory())) {
            String[] there = {"--server", "127.0.0.1:" + server.rpcPort(), "--ca", file("ca.pem")};

            assertThat(run(there, "enqueue", "q", "d", "--token-file", file("full.token")))
                    .isZero();
            assertThat(run(there, "queues", "--token-file", file("read.token"))).isZero();
            assertThat(out.toString()).contains("q");
            assertThat(run(there, "delete", "q", "--token-file", file("read.token")))
                    .isEqualTo(1);
            assertThat(err)
                    .asString()
                    .startsWith("taskmaster: PERMISSION_DENIED: ")
                    .contains("--token-file");
            assertThat(run(there, "queues")).isEqualTo(1);
            assertThat(err).asString().startsWith("taskmaster: UNAUTHENTICATED: ");
            assertThat(run(there, "delete", "q", "--certificate", file("ops.pem"), "--key", file("ops.key")))
                    .isZero();
        }
    }

    @Test
    void aTokenIsShownOnceAndNeverOverwritesAFile() throws Exception {
        assertThat(run("token", "full", "me")).isZero();
        assertThat(out.toString()).matches("full me sha256:[0-9a-f]{64}\n");
        assertThat(err.toString()).matches("tm_[A-Za-z0-9_-]{43}\n");

        Path token = folder.resolve("token");
        assertThat(run("token", "full", "me", "--token-file", token.toString())).isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(Files.readString(token)).matches("tm_[A-Za-z0-9_-]{43}\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(token)))
                .isEqualTo("rw-------");
        String before = Files.readString(token);
        assertThat(run("token", "full", "me", "--token-file", token.toString())).isEqualTo(2);
        assertThat(err.toString()).startsWith("taskmaster: --token-file: " + token);
        assertThat(Files.readString(token)).isEqualTo(before);
    }

    @Test
    void wrongUseIsSaidAtOnce() {
        assertThat(run("token", "admin", "me")).isEqualTo(2);
        assertThat(run("token", "full", "a b")).isEqualTo(2);
        assertThat(run("queues", "--token-file", file("none"))).isEqualTo(2);
        assertThat(err.toString()).contains("--token-file: " + file("none"));
        assertThat(run("queues", "--certificate", file("none"))).isEqualTo(2);
        assertThat(err.toString()).contains("--key");
        assertThat(run("queues", "--ca", file("none"))).isEqualTo(2);
        assertThat(err.toString()).contains(file("none"));
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private int run(String[] more, String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(Arrays.asList(more));
        return run(all.toArray(String[]::new));
    }

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        var terminal = new Terminal(
                InputStream.nullInputStream(), new PrintWriter(out), new PrintWriter(err), false, Clock.system());
        return new Commands(terminal, List.of()).run(arguments);
    }
}
