package io.taskmaster.cli.common;

import io.taskmaster.client.QueueSelector;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that select queues of one group, or of all groups. */
public final class GroupScope {

    @Mixin
    private final SelectorOptions queues = new SelectorOptions();

    @Option(names = "--all-groups", description = "Select from all consistency groups.")
    private boolean allGroups;

    /** Returns whether tasks or queues of several groups may occur. */
    public boolean allGroups() {
        return allGroups;
    }

    public QueueSelector selector(ClientOptions options) {
        return allGroups ? queues.inAllGroups() : queues.in(options.group());
    }
}
