package io.taskmaster.server.engine.state;

import io.taskmaster.command.FifoPid;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.ApplyAtom.TaskChange;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Grant;
import io.taskmaster.server.engine.command.Sizes;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The sum of all atoms, from the definition of {@link ApplyAtom} alone: every queue with all of its tasks.
 * Single-threaded.
 */
final class Ledger {

    final SortedMap<QueueKey, Account> queues = new TreeMap<>();

    /** A queue. */
    static final class Account {

        long generation;
        Sizes sizes = Sizes.NONE;
        FifoPid maxFifo = FifoPid.NONE;
        final SortedMap<Pid, Entry> tasks = new TreeMap<>();

        long total() {
            return sizes.total();
        }
    }

    /** A task. Immutable. */
    record Entry(
            Enqueued data,
            int attempt,
            @Nullable Grant grant,
            @Nullable Enqueued rerun) {

        boolean isDelayed() {
            return data.notBeforeMillis() != 0;
        }

        /** The instant that it waits for; 0: none. */
        long firesMillis() {
            return grant != null ? grant.expiresMillis() : data.notBeforeMillis();
        }
    }

    void apply(ApplyAtom atom) {
        for (QueueChange change : atom.queues()) {
            Account account = queues.computeIfAbsent(change.queue(), _ -> new Account());
            if (account.generation != change.generation()) {
                account.generation = change.generation();
                account.tasks.clear();
            }
            account.sizes = change.sizes();
            account.maxFifo = change.maxFifo();
            change.tasks().forEach(task -> apply(account, task));
        }
    }

    private static void apply(Account account, TaskChange change) {
        switch (change) {
            case ApplyAtom.Put put -> account.tasks.put(put.pid(), new Entry(put.data(), 0, null, null));
            case ApplyAtom.Move move ->
                account.tasks.compute(
                        move.pid(),
                        (pid, entry) -> new Entry(move.data(), move.attempt(), null, expectSame(entry, move)));
            case ApplyAtom.Remember remember ->
                account.tasks.compute(remember.pid(), (pid, entry) -> remembering(pid, entry, remember));
            case ApplyAtom.Lease lease ->
                account.tasks.compute(
                        lease.pid(),
                        (pid, entry) -> moved(pid, entry, lease.attempt(), lease.grant(), lease.remembers()));
            case ApplyAtom.Free free ->
                account.tasks.compute(
                        free.pid(), (pid, entry) -> moved(pid, entry, free.attempt(), null, free.remembers()));
            case ApplyAtom.Remove remove -> account.tasks.remove(remove.pid());
        }
    }

    private static Entry moved(Pid pid, @Nullable Entry entry, int attempt, @Nullable Grant grant, boolean remembers) {
        if (entry == null) {
            throw new AssertionError("an atom leases or frees " + pid + ", which is not there");
        }
        if (entry.isDelayed() || remembers != (entry.rerun != null)) {
            throw new AssertionError("an atom leases or frees " + pid + ", which is not so: " + entry);
        }
        return new Entry(entry.data, attempt, grant, entry.rerun);
    }

    private static Entry remembering(Pid pid, @Nullable Entry entry, ApplyAtom.Remember change) {
        if (entry == null || entry.grant == null) {
            throw new AssertionError("an atom remembers something beside " + pid + ", which nobody leases");
        }
        return new Entry(entry.data, change.attempt(), change.grant(), change.rerun());
    }

    /** Checks that a move takes along the rerun, and the data with it. */
    private static @Nullable Enqueued expectSame(@Nullable Entry entry, ApplyAtom.Move move) {
        if (entry == null
                || !entry.data.payload().equals(move.data().payload())
                || !Objects.equals(entry.rerun, move.rerun())) {
            throw new AssertionError("an atom moves " + move + ", where there was " + entry);
        }
        return move.rerun();
    }
}
