package io.taskmaster.server.engine.flow;

import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.flow.Waits.Tally;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;

/** Counts the {@link Waits} of a family. Single-threaded: owned by it. */
final class WaitTallies {

    private final Tally[] tallies = new Tally[Verdict.values().length];

    /** In the order in which they got stuck. */
    private final LinkedHashSet<QueueKey> stuck = new LinkedHashSet<>(0);

    WaitTallies() {
        Arrays.fill(tallies, Tally.NONE);
    }

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
        tallies[verdict.ordinal()] = tallies[verdict.ordinal()].plus(new Tally(queues, tasks));
    }

    Waits waits() {
        return new Waits(
                tallies[Verdict.STUCK.ordinal()],
                tallies[Verdict.PAUSED.ordinal()],
                tallies[Verdict.KEPT.ordinal()],
                stuck.isEmpty() ? Optional.empty() : Optional.of(stuck.getFirst()));
    }
}
