package io.taskmaster.server.cli;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.GroupName;
import java.time.Duration;
import picocli.CommandLine.Option;

/** What every command that talks to a server takes. */
final class ClientOptions {

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

    GroupName group() {
        return group;
    }

    boolean json() {
        return json;
    }

    /**
     * @param maxRetries of a call, within the timeout
     */
    TaskMasterClient connect(int maxRetries) {
        return TaskMasterClient.builder(server)
                .deadline(timeout)
                .maxRetries(maxRetries)
                .worker("taskmaster " + ProcessHandle.current().pid())
                .build();
    }
}
