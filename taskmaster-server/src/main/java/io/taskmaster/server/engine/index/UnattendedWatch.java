package io.taskmaster.server.engine.index;

import io.taskmaster.server.engine.flow.Family;
import io.taskmaster.server.engine.flow.Verdict;
import io.taskmaster.server.engine.state.QueueState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The watch over unattended queues: those in which tasks wait and none is leased. It gives each of them a
 * {@link Verdict} ({@code docs/adr/0017-families-and-verdicts.md}). A queue is judged when something has happened there
 * since the last look, and when its deadline passes. So the cost depends on what happens, and not on the number of
 * queues. Single-threaded: owned by {@link ActivityIndex}.
 *
 * <pre>{@code
 * state of the queue  | event                                        | next state     | effect
 * ------------------- | -------------------------------------------- | -------------- | ---------------------------
 * attended            | look: available, none leased                 | FINE, watched  | deadline is set
 * attended            | look: available, paused                      | PAUSED         | family counts its tasks
 * FINE, watched       | its deadline passes                          | STUCK or KEPT  | family counts its tasks
 * FINE, watched       | look: it is paused                           | PAUSED         | family counts its tasks
 * PAUSED              | look: not paused any more, none leased       | FINE, watched  | deadline is set anew
 * STUCK, KEPT         | look: it is paused                           | PAUSED         | family counts its tasks
 * STUCK, KEPT         | look: leases were granted since, none is now | FINE, watched  | deadline is set anew
 * any                 | look: nothing available, or some are leased  | attended       | family counts it no more
 *                     | and it is not paused                         |                |
 * }</pre>
 */
final class UnattendedWatch {

    /** The queues whose verdict time alone will change, the first one first. No two queues have the same slot. */
    private final TreeSet<UnattendedQueue> deadlines =
            new TreeSet<>(Comparator.comparingLong((UnattendedQueue unattendedQueue) -> unattendedQueue.deadlineMillis)
                    .thenComparingInt(unattendedQueue -> unattendedQueue.queue.slot()));

    /** The records of unattended queues, by slot; null where the queue is attended. */
    private final List<@Nullable UnattendedQueue> unattended = new ArrayList<>();

    /** Judges a queue in which something may have happened. */
    void look(QueueState queue, long nowMillis) {
        boolean isPaused = queue.options().paused();
        if (queue.availableNow() == 0 || (queue.leasedNow() > 0 && !isPaused)) {
            letGo(queue);
            return;
        }
        UnattendedQueue there = recordOf(queue);
        if (there == null) {
            there = new UnattendedQueue(queue);
            while (unattended.size() <= queue.slot()) {
                unattended.add(null);
            }
            unattended.set(queue.slot(), there);
            begin(there, nowMillis);
        } else {
            // The old verdict leaves the family's counts in any case: its number of tasks may have changed.
            withdraw(there);
            if (there.leases != queue.rates().leases() || there.isPaused != isPaused) {
                begin(there, nowMillis);
            }
        }
        judge(there, nowMillis);
    }

    private static void begin(UnattendedQueue there, long nowMillis) {
        there.sinceMillis = nowMillis;
        there.leases = there.queue.rates().leases();
        there.isPaused = there.queue.options().paused();
    }

    /** Returns a queue whose deadline has passed and that has not been judged since; null: there is none. */
    @Nullable
    QueueState nextDue(long nowMillis) {
        return deadlines.isEmpty() || deadlines.first().deadlineMillis > nowMillis ? null : deadlines.first().queue;
    }

    private void judge(UnattendedQueue there, long nowMillis) {
        QueueState queue = there.queue;
        long leaseMillis =
                queue.leaseMillis() > 0 ? queue.leaseMillis() : queue.family().leaseMillis();
        there.verdict = Verdict.of(new Verdict.Plight(
                queue.availableNow(),
                queue.leasedNow(),
                there.isPaused,
                Verdict.isForDeadLetters(queue.key().name()),
                queue.wasWorkedOn(),
                nowMillis - there.sinceMillis,
                leaseMillis));
        if (there.verdict == Verdict.FINE) {
            // The set is ordered by the deadline, which changes only here: the record is new, or was withdrawn before.
            there.deadlineMillis = there.sinceMillis + Verdict.unattendedTimeoutMillis(leaseMillis);
            deadlines.add(there);
        } else {
            there.tasks = queue.availableNow();
            queue.family().waits(queue.key(), there.verdict, there.tasks);
        }
    }

    private void withdraw(UnattendedQueue there) {
        if (there.verdict == Verdict.FINE) {
            deadlines.remove(there);
        } else {
            there.queue.family().waitsNoMore(there.queue.key(), there.verdict, there.tasks);
        }
    }

    /** Drops a queue of which there is nothing to report any more. It still has its slot. */
    void letGo(QueueState queue) {
        UnattendedQueue there = recordOf(queue);
        if (there != null) {
            withdraw(there);
            unattended.set(queue.slot(), null);
        }
    }

    /** Returns the verdict on a queue, as of the last look. */
    Verdict verdict(QueueState queue) {
        UnattendedQueue there = recordOf(queue);
        return there == null ? Verdict.FINE : there.verdict;
    }

    private @Nullable UnattendedQueue recordOf(QueueState queue) {
        return queue.slot() < unattended.size() ? unattended.get(queue.slot()) : null;
    }

    /** Moves a queue that is about to belong to another family. */
    void moves(QueueState queue, Family to) {
        UnattendedQueue there = recordOf(queue);
        if (there != null && there.verdict != Verdict.FINE) {
            queue.family().waitsNoMore(queue.key(), there.verdict, there.tasks);
            to.waits(queue.key(), there.verdict, there.tasks);
        }
    }
}
