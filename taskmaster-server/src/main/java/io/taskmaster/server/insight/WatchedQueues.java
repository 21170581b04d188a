package io.taskmaster.server.insight;

import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.Command.Selector;
import io.taskmaster.server.engine.pattern.NamePattern;
import java.util.List;
import java.util.Optional;

/**
 * Which queues have a history of their own: those in which most goes on. Immutable.
 *
 * @param max how many
 * @param pattern queues whose whole name matches come before all others; empty: none do
 */
public record WatchedQueues(int max, Optional<NamePattern> pattern) {

    /** Those that come first. */
    Optional<Selector> preferred() {
        return pattern.map(names -> new Selector(Optional.empty(), List.of(), Optional.of(names)));
    }

    boolean prefers(QueueKey queue) {
        return preferred().filter(selector -> selector.chooses(queue)).isPresent();
    }
}
