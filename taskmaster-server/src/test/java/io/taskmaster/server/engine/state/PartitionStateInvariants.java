package io.taskmaster.server.engine.state;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.Pid;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Grant;
import io.taskmaster.server.engine.flow.Family;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.engine.state.Ledger.Account;
import io.taskmaster.server.engine.state.Ledger.Entry;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The invariants of a partition's state between any two calls: within itself, and together with the rows against a
 * {@link Ledger} of all atoms. Memory may forget, but must not be wrong.
 */
public final class PartitionStateInvariants {

    private final PartitionState state;
    private final FakeRows rows;
    private final LongPredicate believed;

    private PartitionStateInvariants(PartitionState state, FakeRows rows, LongPredicate believed) {
        this.state = state;
        this.rows = rows;
        this.believed = believed;
    }

    /** Fails unless memory is consistent within itself. */
    public static void checkMemory(PartitionState state) {
        checkBudgets(state);
        state.queues().all().forEach(PartitionStateInvariants::checkItself);
        checkFamilies(state);
    }

    private static void checkFamilies(PartitionState state) {
        Map<Family, List<QueueState>> members =
                state.queues().all().stream().collect(Collectors.groupingBy(queue -> queue.family));
        Map<FamilyName, FlowSnapshot.Node> nodes = state.queues().families().snapshot().nodes().stream()
                .collect(Collectors.toMap(FlowSnapshot.Node::name, node -> node));
        long counted =
                nodes.values().stream().mapToLong(FlowSnapshot.Node::queues).sum();
        same("families", "queues", counted, (long) state.queues().size());
        members.forEach((family, queues) -> {
            FlowSnapshot.Node node = Objects.requireNonNull(nodes.get(family.name()), "a family that is not forgotten");
            same(node, "queues", node.queues(), (long) queues.size());
            same(node, "available", node.available(), sum(queues, QueueState::availableNow));
            same(node, "leased", node.leased(), sum(queues, QueueState::leasedNow));
            same(node, "delayed", node.delayed(), sum(queues, queue -> queue.delayed - queue.due));
        });
    }

    private static long sum(List<QueueState> queues, ToLongFunction<QueueState> size) {
        return queues.stream().mapToLong(size).sum();
    }

    /** Fails unless memory over the rows that are believed equals the sum of the atoms. */
    static void check(PartitionState state, FakeRows rows, LongPredicate believed, Ledger ledger) {
        PartitionStateInvariants invariants = new PartitionStateInvariants(state, rows, believed);
        checkMemory(state);
        for (QueueState queue : state.queues().all()) {
            Account account = ledger.queues.getOrDefault(queue.key, new Account());
            invariants.checkSizes(queue, account);
            account.tasks.forEach((pid, entry) -> invariants.checkTask(queue, pid, entry));
            invariants.checkNothingElse(queue, account);
        }
        ledger.queues.forEach((key, account) ->
                expect(account.total() == 0 || state.queue(key) != null, "%s is gone, with its tasks", key));
    }

    private static void checkBudgets(PartitionState state) {
        long resident = 0;
        long dirty = state.dirty.roundBytes() + state.dirty.hintBytes();
        Set<Task> running = new HashSet<>();
        for (QueueState queue : state.queues().all()) {
            resident += queue.residentBytes;
            dirty += queue.dirtyBytes;
            queue.tasks.values().stream()
                    .filter(task -> task.isTimed() && !task.counted)
                    .forEach(running::add);
        }
        same("state", "resident bytes", state.residentBytes(), resident);
        same("state", "dirty bytes", state.dirtyBytes(), dirty);
        expect(
                state.times.timed().size() == running.size() && running.containsAll(state.times.timed()),
                "waiting for an instant: %s, expected %s",
                state.times.timed(),
                running);
        TimeHint knownUntil = state.hints().loadFrom();
        expect(
                knownUntil == null
                        || state.times.hints.isEmpty()
                        || state.times.hints.last().compareTo(knownUntil) < 0,
                "hints beyond %s: %s",
                knownUntil,
                state.times.hints);
    }

    private static void checkItself(QueueState queue) {
        Window window = queue.window;
        Pid missing = window.firstMissing();
        expect(
                missing == null || window.lowWater().compareTo(missing) <= 0,
                "%s: nothing is stored below %s, but the first missing is %s",
                queue,
                window.lowWater(),
                missing);
        expect(
                missing == null || window.knownFrom().compareTo(missing) <= 0,
                "%s: known from %s, but the first missing is %s",
                queue,
                window.knownFrom(),
                missing);
        long live = 0;
        long liveDelayed = 0;
        long resident = 0;
        long dirty = 0;
        for (Task task : queue.tasks.values()) {
            live += task.present ? 1 : 0;
            liveDelayed += task.isDelayed() ? 1 : 0;
            resident += task.residentBytes;
            dirty += task.dirtyBytes;
            expect(task.generation == queue.generation, "%s is of another generation", task);
            expect(task.residentBytes == task.costBytes(), "%s is accounted with %s", task, task.residentBytes);
            expect(task.dirty || task.dirtyBytes == 0, "%s is clean and dirty", task);
            expect(task.isReady() == (queue.ready.get(task.pid) == task), "%s is ready, or is not", task);
            expect(!task.counted || task.isTimed(), "%s is counted as fired", task);
            expect(!task.dataDirty || (task.dirty && task.data != null), "%s lost what is not written", task);
            expect(!task.rerunDirty || (task.dirty && task.rerun != null), "%s lost what is not written", task);
            expect(task.remembers || task.rerun == null, "%s does not know what it remembers", task);
            expect(task.present || (task.data == null && !task.remembers), "%s is gone, its data are not", task);
            expect(!task.isDelayed() || task.grant == null, "%s is delayed and leased", task);
            expect(
                    task.present || !task.isClean() || task.pins > 0 || task.cleanSinceRead > 0,
                    "%s says that nothing is there, and nobody wants to know",
                    task);
        }
        same(queue, "in memory", (long) queue.live, live);
        same(queue, "delayed in memory", (long) queue.liveDelayed, liveDelayed);
        same(queue, "resident", queue.residentBytes, resident);
        same(queue, "dirty", queue.dirtyBytes, dirty);
        long ready = queue.tasks.values().stream().filter(Task::isReady).count();
        same(queue, "ready", (long) queue.ready.size(), ready);
        expect(queue.live <= queue.total(), "%s: more in memory than there is", queue);
    }

    private void checkSizes(QueueState queue, Account account) {
        expect(
                account.total() == 0 ? queue.total() == 0 : queue.generation == account.generation,
                "%s: expected generation %s",
                queue,
                account.generation);
        if (account.total() == 0) {
            return;
        }
        same(queue, "sizes", queue.sizes(), account.sizes);
        same(queue, "largest FIFO PID", queue.maxFifo, account.maxFifo);
        long leased = account.tasks.values().stream()
                .filter(entry -> entry.grant() != null)
                .count();
        same(queue, "leased, recounted", account.sizes.leased(), leased);
        long delayed = account.tasks.values().stream().filter(Entry::isDelayed).count();
        same(queue, "delayed, recounted", account.sizes.delayed(), delayed);
        same(queue, "recounted", account.total(), (long) account.tasks.size());
        long expired = account.tasks.entrySet().stream()
                .filter(task -> task.getValue().grant() != null && hasFired(queue, task.getKey(), task.getValue()))
                .count();
        same(queue, "expired", (long) queue.expired, expired);
        long due = account.tasks.entrySet().stream()
                .filter(task -> task.getValue().isDelayed() && hasFired(queue, task.getKey(), task.getValue()))
                .count();
        same(queue, "due", (long) queue.due, due);
    }

    private boolean hasFired(QueueState queue, Pid pid, Entry entry) {
        return state.times.hasPassed(new TimeHint(entry.firesMillis(), queue.key, queue.generation, pid, 0));
    }

    private void checkTask(QueueState queue, Pid pid, Entry entry) {
        Optional<StoredTask> row = rows.task(queue.key, queue.generation, pid, believed);
        Task task = queue.tasks.get(pid);
        Grant grant = entry.grant();
        expect(
                entry.isDelayed() || pid.compareTo(queue.window.lowWater()) >= 0,
                "%s: %s is below the low-water mark %s",
                queue,
                pid,
                queue.window.lowWater());
        if (task != null) {
            expect(
                    task.present
                            && task.attempt == entry.attempt()
                            && Objects.equals(task.grant, grant)
                            && task.isDelayed() == entry.isDelayed()
                            && task.remembers == (entry.rerun() != null),
                    "%s: %s in memory, expected %s",
                    queue,
                    task,
                    entry);
            Enqueued data =
                    task.data != null ? task.data : row.map(StoredTask::data).orElse(null);
            Enqueued rerun =
                    task.rerun != null ? task.rerun : row.map(StoredTask::rerun).orElse(null);
            expect(
                    entry.data().equals(data) && (!task.remembers || Objects.equals(entry.rerun(), rerun)),
                    "%s: %s has data %s in memory, %s in its row, expected %s",
                    queue,
                    task,
                    task.data,
                    row,
                    entry);
            return;
        }
        expect(
                row.isPresent() && isSame(row.get(), entry),
                "%s: %s is not in memory, and its row is %s, expected %s",
                queue,
                pid,
                row,
                entry);
        boolean fired = hasFired(queue, pid, entry);
        expect(
                entry.isDelayed() ? !fired : !fired || !queue.window.covers(pid),
                "%s: %s could be leased, and is not in memory",
                queue,
                pid);
        expect(!queue.knows(pid), "%s: %s should be known, and is not in memory", queue, pid);
        if (entry.firesMillis() != 0) {
            checkInstant(queue, pid, entry.firesMillis(), fired);
        }
    }

    /** Checks that an instant that is not in memory will be found in time, now and after a restart. */
    private void checkInstant(QueueState queue, Pid pid, long millis, boolean fired) {
        TimeHint hint = new TimeHint(millis, queue.key, queue.generation, pid, 0);
        TimeHint knownUntil = state.hints().loadFrom();
        expect(rows.hasInstant(hint, believed), "%s: no row says when it is time for %s", queue, hint);
        expect(
                fired || state.times.hints.contains(hint) || (knownUntil != null && hint.compareTo(knownUntil) >= 0),
                "%s: nobody knows when it is time for %s",
                queue,
                hint);
    }

    private void checkNothingElse(QueueState queue, Account account) {
        for (Task task : queue.tasks.values()) {
            expect(!task.present || account.tasks.containsKey(task.pid), "%s: %s should be gone", queue, task);
        }
        for (StoredTask row : rows.scanAll(queue.key, queue.generation, Pid.EMPTY, Integer.MAX_VALUE, believed)
                .tasks()) {
            expect(
                    queue.tasks.containsKey(row.pid()) || account.tasks.containsKey(row.pid()),
                    "%s: a row says %s, which is gone",
                    queue,
                    row);
        }
    }

    private static boolean isSame(StoredTask row, Entry entry) {
        return row.data().equals(entry.data())
                && row.attempt() == entry.attempt()
                && Objects.equals(row.grant(), entry.grant())
                && row.remembers() == (entry.rerun() != null)
                && (entry.rerun() == null || entry.rerun().equals(row.rerun()));
    }

    private static void same(Object where, String what, Object actual, Object expected) {
        expect(actual.equals(expected), "%s: %s is %s, expected %s", where, what, actual, expected);
    }

    @FormatMethod
    private static void expect(boolean holds, @FormatString String message, @Nullable Object... args) {
        if (!holds) {
            throw new AssertionError(message.formatted(args));
        }
    }
}
