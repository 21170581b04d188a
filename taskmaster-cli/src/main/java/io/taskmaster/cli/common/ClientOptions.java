package io.taskmaster.cli.common;

import io.taskmaster.cli.common.ClientCredentials.Certificate;
import io.taskmaster.cli.common.ClientCredentials.TokenFile;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.TaskMasterClientBuilder;
import io.taskmaster.model.GroupName;
import io.taskmaster.proxy.config.ConfigException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * Options of every command that calls a server. A value that is not on the command line is that of an environment
 * variable, else that of a profile, else a default. Single-threaded: owned by its command.
 */
public final class ClientOptions {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    @Option(
            names = "--server",
            paramLabel = "HOST[:PORT]",
            description = "The server (default: $TASKMASTER_SERVER, else " + ServerAddress.DEFAULT
                    + "); port 7400 if it has none.")
    private Optional<String> givenServer = Optional.empty();

    @Option(
            names = "--group",
            paramLabel = "GROUP",
            description = "Consistency group (default: $TASKMASTER_GROUP, else the group without a name).")
    private Optional<GroupName> givenGroup = Optional.empty();

    @Option(names = "--json", description = "Print one JSON object per line.")
    private boolean json;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "Time limit of a call, without its wait for tasks (default: 30s).")
    private Optional<Duration> givenTimeout = Optional.empty();

    @Option(names = "--tls", description = "TLS, with the certificate authorities of this machine.")
    private boolean tls;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "TLS, with the certificate authorities in this PEM file (default: $TASKMASTER_CA).")
    private Optional<Path> authorities = Optional.empty();

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = "Client certificate, a PEM file; implies TLS and needs --key.")
    private Optional<Path> givenCertificate = Optional.empty();

    @Option(names = "--key", paramLabel = "FILE", description = "Private key of the client certificate, a PEM file.")
    private Optional<Path> givenKey = Optional.empty();

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the token to send; needs TLS or a server on this machine (default:"
                    + " $TASKMASTER_TOKEN_FILE).")
    private Optional<Path> givenTokenFile = Optional.empty();

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            description = {
                "Profile, with values of these options (default: $TASKMASTER_PROFILE, else " + ClientProfile.DEFAULT
                        + ").",
                "Profiles are in ~/.config/taskmaster/profiles.properties."
            })
    private Optional<String> profile = Optional.empty();

    private String server = ServerAddress.DEFAULT;
    private GroupName group = GroupName.EMPTY;
    private Duration timeout = DEFAULT_TIMEOUT;
    private ClientCredentials credentials = ClientCredentials.NONE;

    /** The address of the server. */
    public String server() {
        return server;
    }

    public GroupName group() {
        return group;
    }

    /** Returns whether the command line names a group other than the one without a name. */
    public boolean hasGroup() {
        return givenGroup.filter(name -> !name.isEmpty()).isPresent();
    }

    public boolean json() {
        return json;
    }

    /** Returns whether the connection has TLS. */
    boolean usesTls() {
        return tls || authorities.isPresent() || credentials.certificate().isPresent();
    }

    /**
     * Takes the values that are not on the command line from elsewhere.
     *
     * @throws ConfigException if one of them is invalid
     */
    void complete(Environment environment) {
        var defaults = new ClientDefaults(
                environment,
                ClientProfile.read(environment, profile.or(() -> environment.variable("TASKMASTER_PROFILE"))));
        server = givenServer
                .map(text -> ServerAddress.parse("--server", text))
                .or(defaults::server)
                .orElse(ServerAddress.DEFAULT);
        group = givenGroup.or(defaults::group).orElse(GroupName.EMPTY);
        timeout = givenTimeout.or(defaults::timeout).orElse(DEFAULT_TIMEOUT);
        tls = tls || defaults.tls();
        authorities = authorities.or(defaults::authorities);
        // Whoever names a profile wants its credentials; whoever names another server may have forgotten them.
        ClientDefaults meant = profile.isPresent() ? defaults : defaults.forServer(server);
        credentials = new ClientCredentials(
                Certificate.of("--certificate", givenCertificate, "--key", givenKey)
                        .or(meant::certificate),
                givenTokenFile.map(file -> new TokenFile("--token-file", file)).or(meant::tokenFile));
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
        if (tls) {
            client.tls();
        }
        authorities.ifPresent(client::tls);
        credentials.addTo(client);
    }
}
