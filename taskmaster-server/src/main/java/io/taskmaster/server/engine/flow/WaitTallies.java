package io.taskmaster.server.engine.flow;

import io.taskmaster.command.Verdict;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.flow.Waits.Tally;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Optional;

/** The counter of the {@link Waits} of a family. Single-threaded: owned by it. */
final class WaitTallies {

    private final EnumMap<Verdict, Tally> tallies = new EnumMap<>(Verdict.class);

    /** The stuck queues, in the order in which they got stuck. */
    private final LinkedHashSet<QueueKey> stuck = new LinkedHashSet<>(0);

    void add(QueueKey queue, Verdict verdict, long tasks) {
        count(verdict, 1, tasks);
        if (verdict == Verdict.STUCK) {
            stuck.add(queue);
        }
    }

    void remove(QueueKey queue, Verdict verdict, long tasks) {
        count(verdict, -1, -tasks);
        if (verdict == Verdict.STUCK) {
            stuck.remove(queue);
        }
    }

    private void count(Verdict verdict, long queues, long tasks) {
        tallies.merge(verdict, new Tally(queues, tasks), Tally::plus);
    }

    Waits waits() {
        return new Waits(
                tally(Verdict.STUCK),
                tally(Verdict.PAUSED),
                tally(Verdict.KEPT),
                stuck.isEmpty() ? Optional.empty() : Optional.of(stuck.getFirst()));
    }

    private Tally tally(Verdict verdict) {
        return tallies.getOrDefault(verdict, Tally.NONE);
    }
}
