package io.taskmaster.server.engine.index;

import io.taskmaster.command.Verdict;
import io.taskmaster.server.engine.flow.Family;
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
    void refresh(QueueState queue, long nowMillis) {
        boolean isPaused = queue.options().paused();
        if (queue.availableNow() == 0 || (queue.leasedNow() > 0 && !isPaused)) {
            remove(queue);
            return;
        }
        UnattendedQueue entry = entryOf(queue);
        if (entry == null) {
            entry = new UnattendedQueue(queue);
            while (unattended.size() <= queue.slot()) {
                unattended.add(null);
            }
            unattended.set(queue.slot(), entry);
            begin(entry, nowMillis);
        } else {
            // The old verdict leaves the family's counts in any case: its number of tasks may have changed.
            unregister(entry);
            if (entry.leases != queue.rates().leases() || entry.isPaused != isPaused) {
                begin(entry, nowMillis);
            }
        }
        evaluate(entry, nowMillis);
    }

    private static void begin(UnattendedQueue entry, long nowMillis) {
        entry.sinceMillis = nowMillis;
        entry.leases = entry.queue.rates().leases();
        entry.isPaused = entry.queue.options().paused();
    }

    /** Returns a queue whose deadline has passed and that has not been judged since; null: there is none. */
    @Nullable
    QueueState nextDue(long nowMillis) {
        return deadlines.isEmpty() || deadlines.first().deadlineMillis > nowMillis ? null : deadlines.first().queue;
    }

    private void evaluate(UnattendedQueue entry, long nowMillis) {
        QueueState queue = entry.queue;
        long leaseMillis =
                queue.leaseMillis() > 0 ? queue.leaseMillis() : queue.family().leaseMillis();
        entry.verdict = Verdict.of(new Verdict.Observation(
                queue.availableNow(),
                queue.leasedNow(),
                entry.isPaused,
                queue.key().name().isForDeadLetters(),
                queue.wasWorkedOn(),
                nowMillis - entry.sinceMillis,
                leaseMillis));
        if (entry.verdict == Verdict.FINE) {
            // The set is ordered by the deadline, which changes only here: the record is new, or was withdrawn before.
            entry.deadlineMillis = entry.sinceMillis + Verdict.unattendedTimeoutMillis(leaseMillis);
            deadlines.add(entry);
        } else {
            entry.tasks = queue.availableNow();
            queue.family().addWait(queue.key(), entry.verdict, entry.tasks);
        }
    }

    private void unregister(UnattendedQueue entry) {
        if (entry.verdict == Verdict.FINE) {
            deadlines.remove(entry);
        } else {
            entry.queue.family().removeWait(entry.queue.key(), entry.verdict, entry.tasks);
        }
    }

    /** Drops a queue of which there is nothing to report any more. It still has its slot. */
    void remove(QueueState queue) {
        UnattendedQueue entry = entryOf(queue);
        if (entry != null) {
            unregister(entry);
            unattended.set(queue.slot(), null);
        }
    }

    /** Returns the verdict on a queue, as of the last look. */
    Verdict verdict(QueueState queue) {
        UnattendedQueue entry = entryOf(queue);
        return entry == null ? Verdict.FINE : entry.verdict;
    }

    private @Nullable UnattendedQueue entryOf(QueueState queue) {
        return queue.slot() < unattended.size() ? unattended.get(queue.slot()) : null;
    }

    /** Moves a queue that is about to belong to another family. */
    void move(QueueState queue, Family to) {
        UnattendedQueue entry = entryOf(queue);
        if (entry != null && entry.verdict != Verdict.FINE) {
            queue.family().removeWait(queue.key(), entry.verdict, entry.tasks);
            to.addWait(queue.key(), entry.verdict, entry.tasks);
        }
    }
}
