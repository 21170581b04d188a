package io.taskmaster.cli.common;

import io.taskmaster.client.QueueSelector;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options that select queues by names, by a pattern, or both. */
final class SelectorOptions {

    @Parameters(paramLabel = "QUEUE", arity = "0..*", description = "Names of queues.")
    private List<QueueName> names = new ArrayList<>();

    @Option(
            names = "--match",
            paramLabel = "RE",
            description = "Pattern that the whole name of a queue matches (RE2 syntax).")
    private Optional<String> pattern = Optional.empty();

    QueueSelector in(GroupName group) {
        return new QueueSelector(Optional.of(group), names, pattern);
    }

    QueueSelector inAllGroups() {
        return new QueueSelector(Optional.empty(), names, pattern);
    }
}
