package io.taskmaster.server.cli;

import io.taskmaster.client.QueueSelector;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Queues of one group, or of all of them. */
final class GroupScope {

    @Mixin
    private final SelectorOptions queues = new SelectorOptions();

    @Option(names = "--all-groups", description = "In every consistency group.")
    private boolean allGroups;

    /** Whether tasks or queues of several groups may come. */
    boolean allGroups() {
        return allGroups;
    }

    QueueSelector selector(ClientOptions options) {
        return allGroups ? queues.inAllGroups() : queues.in(options.group());
    }
}
