package io.taskmaster.server.engine;

import io.taskmaster.server.engine.flow.Family;
import io.taskmaster.server.engine.flow.Verdict;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Watches queues in which tasks wait and none is leased, and says of each what its {@link Verdict} is. A queue is judged when something happened there since the last look, and when its patience
 * is over: so what it costs depends on what happens, and not on how many queues there are. Single-threaded: owned by {@link Standings}.
 */
final class Vigil {

    /** Those whose verdict time alone will change, the first one first. No two queues have the same slot. */
    private final TreeSet<Unattended> deadlines =
            new TreeSet<>(Comparator.comparingLong((Unattended unattended) -> unattended.deadlineMillis)
                    .thenComparingInt(unattended -> unattended.queue.slot));

    /** Judges a queue in which something may have happened. */
    void look(QueueState queue, long nowMillis) {
        boolean isPaused = queue.options.paused();
        if (queue.availableNow() == 0 || (queue.leasedNow() > 0 && !isPaused)) {
            letGo(queue);
            return;
        }
        Unattended there = queue.unattended;
        if (there == null) {
            there = new Unattended(queue);
            queue.unattended = there;
            begin(there, nowMillis);
        } else {
            withdraw(there);
            if (there.leases != queue.rates.leases() || there.isPaused != isPaused) {
                begin(there, nowMillis);
            }
        }
        judge(there, nowMillis);
    }

    private static void begin(Unattended there, long nowMillis) {
        there.sinceMillis = nowMillis;
        there.leases = there.queue.rates.leases();
        there.isPaused = there.queue.options.paused();
    }

    /** A queue whose patience is over and that has not been judged since; null: there is none. */
    @Nullable
    QueueState nextDue(long nowMillis) {
        return deadlines.isEmpty() || deadlines.first().deadlineMillis > nowMillis ? null : deadlines.first().queue;
    }

    private void judge(Unattended there, long nowMillis) {
        QueueState queue = there.queue;
        long leaseMillis = queue.leaseMillis > 0 ? queue.leaseMillis : queue.family.leaseMillis();
        there.verdict = Verdict.of(new Verdict.Plight(
                queue.availableNow(),
                queue.leasedNow(),
                there.isPaused,
                Verdict.isForDeadLetters(queue.key.name()),
                queue.wasWorkedOn(),
                nowMillis - there.sinceMillis,
                leaseMillis));
        if (there.verdict == Verdict.FINE) {
            there.deadlineMillis = there.sinceMillis + Verdict.patienceMillis(leaseMillis);
            deadlines.add(there);
        } else {
            there.tasks = queue.availableNow();
            queue.family.waits(queue.key, there.verdict, there.tasks);
        }
    }

    private void withdraw(Unattended there) {
        if (there.verdict == Verdict.FINE) {
            deadlines.remove(there);
        } else {
            there.queue.family.waitsNoMore(there.queue.key, there.verdict, there.tasks);
        }
    }

    /** Nothing is to be said of a queue any more. It still has its slot. */
    void letGo(QueueState queue) {
        if (queue.unattended != null) {
            withdraw(queue.unattended);
            queue.unattended = null;
        }
    }

    /** This queue is about to belong to another family. */
    void moves(QueueState queue, Family to) {
        Unattended there = queue.unattended;
        if (there != null && there.verdict != Verdict.FINE) {
            queue.family.waitsNoMore(queue.key, there.verdict, there.tasks);
            to.waits(queue.key, there.verdict, there.tasks);
        }
    }
}
