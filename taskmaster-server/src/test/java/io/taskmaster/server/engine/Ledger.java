package io.taskmaster.server.engine;

import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.ApplyAtom.TaskChange;
import io.taskmaster.server.engine.Command.Payload;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What atoms add up to, by the word of {@link ApplyAtom} alone: every queue with all of its tasks. Single-threaded. */
final class Ledger {

    final SortedMap<QueueKey, Account> queues = new TreeMap<>();

    /** A queue. */
    static final class Account {

        long generation;
        long available;
        long leased;
        FifoPid maxFifo = FifoPid.NONE;
        final SortedMap<Pid, Entry> tasks = new TreeMap<>();

        long total() {
            return available + leased;
        }
    }

    /** A task. Immutable. */
    record Entry(
            Payload payload,
            long enqueuedMillis,
            int attempt,
            @Nullable Grant grant) {}

    void apply(ApplyAtom atom) {
        for (QueueChange change : atom.queues()) {
            Account account = queues.computeIfAbsent(change.queue(), _ -> new Account());
            if (account.generation != change.generation()) {
                account.generation = change.generation();
                account.tasks.clear();
            }
            account.available = change.available();
            account.leased = change.leased();
            account.maxFifo = change.maxFifo();
            change.tasks().forEach(task -> apply(account, task));
        }
    }

    private static void apply(Account account, TaskChange change) {
        switch (change) {
            case ApplyAtom.Put put ->
                account.tasks.put(put.pid(), new Entry(put.payload(), put.enqueuedMillis(), 0, null));
            case ApplyAtom.Lease lease ->
                account.tasks.compute(lease.pid(), (pid, entry) -> moved(pid, entry, lease.attempt(), lease.grant()));
            case ApplyAtom.Free free ->
                account.tasks.compute(free.pid(), (pid, entry) -> moved(pid, entry, free.attempt(), null));
            case ApplyAtom.Remove remove -> account.tasks.remove(remove.pid());
        }
    }

    private static Entry moved(Pid pid, @Nullable Entry entry, int attempt, @Nullable Grant grant) {
        if (entry == null) {
            throw new AssertionError("an atom leases or frees " + pid + ", which is not there");
        }
        return new Entry(entry.payload, entry.enqueuedMillis, attempt, grant);
    }
}
