package io.taskmaster.cli.common;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.TaskMasterClientBuilder;
import io.taskmaster.model.GroupName;
import io.taskmaster.proxy.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of every command that calls a server. */
public final class ClientOptions {

    @Option(
            names = "--server",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:7400",
            description = "The server (default: ${DEFAULT-VALUE}).")
    private String server = "";

    @Option(names = "--group", paramLabel = "GROUP", description = "Consistency group (default: the default group).")
    private GroupName group = GroupName.EMPTY;

    @Option(names = "--json", description = "One JSON object per line.")
    private boolean json;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "30s",
            description = "How long a call may take; waiting for tasks not included (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ZERO;

    @Option(names = "--tls", description = "Speaks TLS, with a server whose certificate this machine trusts.")
    private boolean tls;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "Speaks TLS, with a server whose certificate these authorities vouch for (PEM).")
    private Optional<Path> authorities = Optional.empty();

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = "Shows this client certificate (PEM); speaks TLS. Together with --key.")
    private Optional<Path> certificate = Optional.empty();

    @Option(names = "--key", paramLabel = "FILE", description = "The private key of the client certificate (PEM).")
    private Optional<Path> key = Optional.empty();

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            defaultValue = "${env:TASKMASTER_TOKEN_FILE}",
            description =
                    "Sends the token in this file, over TLS or to this machine (default: $TASKMASTER_TOKEN_FILE).")
    private Optional<Path> tokenFile = Optional.empty();

    /** The address of the server. */
    public String server() {
        return server;
    }

    public GroupName group() {
        return group;
    }

    public boolean json() {
        return json;
    }

    /**
     * Returns a client with these options.
     *
     * @param maxRetries of a call, within the timeout
     * @param action by which the updates are audited; empty for updates of a worker
     */
    TaskMasterClient connect(int maxRetries, Optional<String> action) {
        TaskMasterClientBuilder client = TaskMasterClient.builder(server)
                .deadline(timeout)
                .maxRetries(maxRetries)
                .worker("taskmaster " + ProcessHandle.current().pid());
        action.ifPresent(client::action);
        try {
            protect(client);
            return client.build();
        } catch (IllegalArgumentException unusable) {
            throw new ConfigException(String.valueOf(unusable.getMessage()), unusable);
        }
    }

    private void protect(TaskMasterClientBuilder client) {
        if (certificate.isPresent() != key.isPresent()) {
            throw new IllegalArgumentException("--certificate: given alone (expected: together with --key)");
        }
        if (tls) {
            client.tls();
        }
        authorities.ifPresent(client::tls);
        certificate.ifPresent(chain -> client.clientCertificate(chain, key.orElseThrow()));
        tokenFile.ifPresent(file -> client.token(token(file)));
    }

    private static String token(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "--token-file: " + file + " (expected: a file that can be read, with a token)", e);
        }
    }
}
