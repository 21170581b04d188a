package io.taskmaster.cli.tasks;

import io.taskmaster.cli.common.UrgencyOption;
import io.taskmaster.client.RequestId;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.model.GroupName;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of every command that updates tasks. */
final class UpdateOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--request-id",
            paramLabel = "ID",
            description = "Id of the update: repetitions with this id have no effect while the server remembers it.")
    private Optional<RequestId> requestId = Optional.empty();

    @Mixin
    private final UrgencyOption urgency = new UrgencyOption();

    /** Returns an empty update with these options. */
    UpdateBuilder in(GroupName group) {
        UpdateBuilder update = Update.in(group).serviceClass(urgency.serviceClass());
        requestId.ifPresent(update::requestId);
        return update;
    }

    /**
     * Refuses a request id with standard input, which makes several updates: all but the first would be taken for its
     * repetition.
     */
    void refuseRequestId() {
        if (requestId.isPresent()) {
            throw new ParameterException(
                    command.commandLine(), "--request-id: an id names one update (expected: none with -)");
        }
    }
}
