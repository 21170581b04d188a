package io.taskmaster.server.insight;

import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.model.QueueKey;
import java.util.List;
import java.util.Optional;

/**
 * The choice of queues with a history of their own: the busiest ones. Immutable.
 *
 * @param max the maximum number of queues
 * @param pattern queues whose whole name matches have priority; empty: none has
 */
public record WatchedQueues(int max, Optional<NamePattern> pattern) {

    /** The selector of the queues that have priority. */
    Optional<Selector> preferred() {
        return pattern.map(names -> new Selector(Optional.empty(), List.of(), Optional.of(names)));
    }

    boolean prefers(QueueKey queue) {
        return preferred().filter(selector -> selector.chooses(queue)).isPresent();
    }
}
