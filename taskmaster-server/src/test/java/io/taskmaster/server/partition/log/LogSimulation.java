package io.taskmaster.server.partition.log;

import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.log.FakeStore.Operation;
import io.taskmaster.server.partition.log.ownership.Checkpoint;
import io.taskmaster.server.partition.log.ownership.DeposedException;
import io.taskmaster.server.partition.log.ownership.EpochOwnership;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.log.row.LogSettings;
import io.taskmaster.server.partition.log.row.LoggedAtom;
import io.taskmaster.server.store.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A simulation of several owners of one partition on one store, step by step from one seed: rows that land late,
 * replies that are lost, owners that die, or are deposed and continue to write.
 *
 * <p>Invariant after every step: the history that an owner has committed is a prefix of the history that every later
 * owner has, in the same order. Hence nothing acknowledged is lost or duplicated, and no owner commits what its
 * successor has not seen.
 */
final class LogSimulation {

    private static final int STEPS = 250;
    private static final int MAX_OWNERS = 5;
    private static final LogSettings SETTINGS = new LogSettings(120, 3, 3, 300, 2);

    static final class Violation extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Violation(String message) {
            super(message);
        }
    }

    private record Entry(long ticket, long id) {}

    private final Random random;
    private final FakeStore store;
    private final List<Owner> owners = new ArrayList<>();
    private final Map<Checkpoint, List<Entry>> covered = new HashMap<>();
    private final List<Operation<?>> held = new ArrayList<>();
    private final double crashes;
    private final double lostReplies;
    private final double slowness;
    private @Nullable Throwable found;
    private long lastId;
    int commits;
    int closes;

    LogSimulation(long seed, FakeStore store) {
        this.random = new Random(seed);
        this.store = store;
        store.prompt = false;
        covered.put(Checkpoint.START, List.of());
        crashes = List.of(.002, .01, .03).get(random.nextInt(3));
        lostReplies = List.of(0., .01, .05).get(random.nextInt(3));
        slowness = List.of(0., .15, .3).get(random.nextInt(3));
    }

    void run() {
        for (int i = 0; i < STEPS; i++) {
            step();
            owners.forEach(owner -> owner.turns.run());
            rethrow();
        }
        owners.forEach(Owner::die);
        while (!store.inFlight.isEmpty()) {
            Operation<?> operation = any(store.inFlight);
            if (chance(.2)) {
                store.lose(operation);
            } else {
                store.complete(operation);
            }
        }
        store.prompt = true;
        Owner last = new Owner();
        owners.add(last);
        last.turns.run();
        rethrow();
        if (!last.serving()) {
            throw new Violation("the last owner did not come to serve");
        }
        last.work();
        last.turns.run();
        rethrow();
        if (!last.settled()) {
            throw new Violation("the last owner could not commit");
        }
    }

    private void step() {
        List<Owner> alive = where(owner -> !owner.dead);
        if (owners.size() < MAX_OWNERS && (alive.isEmpty() || chance(.03))) {
            owners.add(new Owner());
            return;
        }
        if (!alive.isEmpty() && chance(crashes)) {
            any(alive).die();
            return;
        }
        List<Owner> serving = where(owner -> !owner.dead && owner.serving());
        if (!serving.isEmpty() && chance(.3)) {
            any(serving).work();
            return;
        }
        if (!store.inFlight.isEmpty()) {
            move();
        }
    }

    private void move() {
        for (Operation<?> operation : store.inFlight) {
            if (!operation.isRead() && !held.contains(operation) && chance(slowness / 4)) {
                held.add(operation);
            }
        }
        held.retainAll(store.inFlight);
        List<Operation<?>> free = new ArrayList<>(store.inFlight);
        free.removeAll(held);
        Operation<?> operation = any(free.isEmpty() || chance(.03) ? store.inFlight : free);
        if (operation.isAnswered() || !chance(lostReplies)) {
            store.complete(operation);
        } else if (operation.isRead() || chance(.2)) {
            store.refuse(operation);
        } else if (chance(.5)) {
            store.timeOut(operation);
            held.add(operation);
        } else {
            store.completeUnknown(operation);
        }
    }

    private void rethrow() {
        Throwable broken = found;
        if (broken != null) {
            throw broken instanceof Violation violation ? violation : new Violation("stopped by " + broken);
        }
    }

    private void check() {
        for (Owner earlier : owners) {
            for (Owner later : owners) {
                if (earlier.epoch() < later.epoch() && earlier.serving() && later.serving()) {
                    List<Entry> committed = earlier.history.subList(0, earlier.committed);
                    if (later.history.size() < committed.size()
                            || !later.history.subList(0, committed.size()).equals(committed)) {
                        throw new Violation("epoch %d committed %s, but epoch %d knows %s"
                                .formatted(earlier.epoch(), committed, later.epoch(), later.history));
                    }
                }
            }
        }
    }

    private List<Owner> where(Predicate<Owner> condition) {
        return owners.stream().filter(condition).toList();
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    private final class Owner implements LogWriter.Listener {

        final Turns turns = new Turns();
        final List<Entry> history = new ArrayList<>();
        int committed;
        boolean dead;
        private @Nullable EpochOwnership epochOwnership;
        private @Nullable LogWriter writer;
        private @Nullable Checkpointer checkpointer;
        private @Nullable Checkpoint cut;
        private boolean retires;

        Owner() {
            var _ = new Takeover(store, turns, SETTINGS, random, 7, OwnerCandidate.alone("owner"), this::replay)
                    .run()
                    .handle((won, failure) -> {
                        if (failure == null) {
                            serve(won);
                        } else {
                            onStopped(failure);
                        }
                        return won;
                    })
                    .exceptionally(broken -> {
                        found = StoreCalls.unwrap(broken);
                        return null;
                    });
        }

        long epoch() {
            return epochOwnership == null ? 0 : epochOwnership.epoch();
        }

        boolean serving() {
            return writer != null;
        }

        boolean settled() {
            return writer != null && writer.isSettled() && !dead;
        }

        void die() {
            dead = true;
            turns.die();
        }

        /** Appends some atoms, and takes a checkpoint now and then. */
        void work() {
            LogWriter log = writer;
            if (log == null || checkpointer == null || log.uncommittedBytes() > 1000) {
                return;
            }
            retires |= !store.prompt && chance(.02);
            if (retires) {
                closeClean(log, checkpointer);
                return;
            }
            for (int i = random.nextInt(3); i >= 0; i--) {
                Entry entry =
                        new Entry(history.isEmpty() ? 1 : history.getLast().ticket() + 1, ++lastId);
                history.add(entry);
                log.append(
                        entry.ticket(),
                        ByteBuffer.allocate(8 + random.nextInt(chance(.1) ? 300 : 40))
                                .putLong(entry.id())
                                .array());
            }
            Checkpoint ready = cut;
            if (ready == null && chance(.3)) {
                cut = log.sealedPosition();
            } else if (ready != null && ready.ticket() <= log.committedTicket() && checkpointer.isSettled()) {
                cut = null;
                checkpoint(checkpointer, ready);
            }
            log.flush();
        }

        /** Takes a last checkpoint and closes the epoch, once nothing is in flight. */
        private void closeClean(LogWriter log, Checkpointer to) {
            log.flush();
            if (!log.isSettled() || !to.isSettled()) {
                return;
            }
            Checkpoint end = log.sealedPosition();
            if (end.ticket() > to.record().checkpoint().ticket()) {
                cut = null;
                checkpoint(to, end);
                return;
            }
            covered.put(end, List.copyOf(history));
            closes++;
            var _ = to.close(end).handle((_, failure) -> {
                die();
                return failure;
            });
        }

        private void checkpoint(Checkpointer to, Checkpoint ready) {
            covered.put(
                    ready,
                    history.stream()
                            .filter(entry -> entry.ticket() <= ready.ticket())
                            .toList());
            var _ = to.advance(ready, to.record().lastCompleteRound() + 1).exceptionally(failure -> {
                onStopped(failure);
                return to.record();
            });
        }

        private void replay(LoggedAtom atom) {
            history.add(new Entry(
                    atom.ticket(), ByteBuffer.wrap(atom.bytes().unsafeArray()).getLong()));
        }

        private void serve(EpochOwnership won) {
            epochOwnership = won;
            List<Entry> before = covered.get(won.record().checkpoint());
            if (before == null) {
                throw new Violation("nobody made the checkpoint " + won.record().checkpoint());
            }
            history.addAll(0, before);
            committed = history.size();
            writer = new LogWriter(store, turns, SETTINGS, new RowsInFlight(SETTINGS.maxRowsInFlight()), 7, won, this);
            checkpointer = new Checkpointer(store, turns, SETTINGS, 7, won, () -> {});
            check();
        }

        @Override
        public void onCommitted(long ticket) {
            while (committed < history.size() && history.get(committed).ticket() <= ticket) {
                committed++;
                commits++;
            }
            check();
        }

        @Override
        public void onStopped(Throwable reason) {
            die();
            if (!(reason instanceof DeposedException || reason instanceof StoreException)) {
                found = reason;
            }
        }
    }
}
