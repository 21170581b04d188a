package io.taskmaster.simulation.judge;

import io.taskmaster.command.Command;
import io.taskmaster.command.Reply;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.server.engine.naive.NaiveQueues;
import io.taskmaster.simulation.world.Holder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** The calls of one partition in a run, and their answers. Single-threaded: owned by the simulation. */
public final class History {

    private final List<Call> calls = new ArrayList<>();
    private final List<Call> answered = new ArrayList<>();

    /**
     * The PIDs under which tasks were seen, by their data, which differs between enqueues unless an enqueue was
     * repeated.
     */
    private final TreeMap<Bytes, TreeSet<Pid>> pids = new TreeMap<>();

    /** The data of all enqueues. */
    private final TreeSet<Bytes> asked = new TreeSet<>();

    /**
     * The data of enqueues that were repeated. A request id whose dedup window has ended does not prevent that the same
     * enqueue is applied twice.
     */
    private final TreeSet<Bytes> askedAgain = new TreeSet<>();

    /** PIDs that a reply showed without the data of their tasks. */
    private final TreeSet<Pid> seenWithoutData = new TreeSet<>();

    public void invoked(Call call) {
        calls.add(call);
        if (call.command() instanceof Command.Update update) {
            for (Command.Enqueue enqueue : update.enqueues()) {
                Bytes data = enqueue.payload().data();
                if (!asked.add(data)) {
                    askedAgain.add(data);
                }
            }
        }
    }

    public void answered(Call call) {
        answered.add(call);
        call.reply().ifPresent(this::add);
        if (call.command() instanceof Command.Update update
                && call.reply().orElse(null) instanceof Reply.Updated updated
                && updated.success()) {
            for (int i = 0; i < update.enqueues().size(); i++) {
                add(
                        update.enqueues().get(i).payload().data(),
                        updated.assignedPids().get(i));
            }
        }
    }

    public int size() {
        return calls.size();
    }

    public int answers() {
        return answered.size();
    }

    /** The number of calls that an owner has not answered. */
    public long owedBy(Holder owner) {
        return calls.stream()
                .filter(call -> call.owner().equals(owner) && !call.isAnswered())
                .count();
    }

    List<Call> calls() {
        return calls;
    }

    /** Returns the calls that an owner answered with a reply, in the order of its answers. */
    List<Call> repliesOf(Holder owner) {
        return answered.stream()
                .filter(call -> call.owner().equals(owner) && call.reply().isPresent())
                .toList();
    }

    /**
     * Returns the calls to an owner that may have taken effect although their outcome is unknown, and that change
     * something.
     */
    List<Call> openCallsOf(Holder owner) {
        return calls.stream()
                .filter(call ->
                        call.owner().equals(owner) && call.mayHaveHappened() && changesSomething(call.command()))
                .toList();
    }

    /**
     * Returns the PIDs that the task of this enqueue without PID may have. An empty element stands for a task that was
     * never seen.
     */
    List<Optional<Pid>> pidsOf(Command.Enqueue enqueue) {
        Bytes data = enqueue.payload().data();
        LinkedHashSet<Optional<Pid>> perhaps = new LinkedHashSet<>();
        pids.getOrDefault(data, new TreeSet<>()).stream().map(Optional::of).forEach(perhaps::add);
        if (perhaps.isEmpty() || askedAgain.contains(data)) {
            perhaps.add(Optional.empty());
            seenWithoutData.stream()
                    .filter(NaiveQueues::isAssignedForm)
                    .map(Optional::of)
                    .forEach(perhaps::add);
        }
        return List.copyOf(perhaps);
    }

    private void add(Bytes data, Pid pid) {
        pids.computeIfAbsent(data, _ -> new TreeSet<>()).add(pid);
    }

    private void add(Reply reply) {
        switch (reply) {
            case Reply.Leased leased ->
                leased.tasks().forEach(task -> add(task.payload().data(), task.pid()));
            case Reply.Peeked peeked -> {
                peeked.tasks().forEach(this::add);
                peeked.next().ifPresent(seenWithoutData::add);
            }
            case Reply.Described described ->
                described.queues().stream()
                        .flatMap(queue -> queue.leasedSample().stream())
                        .forEach(sample -> seenWithoutData.add(sample.pid()));
            default -> {}
        }
    }

    private void add(Reply.PeekedTask task) {
        if (!task.payload().data().isEmpty()) {
            add(task.payload().data(), task.pid());
        } else {
            seenWithoutData.add(task.pid());
        }
    }

    private static boolean changesSomething(Command command) {
        return switch (command) {
            case Command.Update update -> true;
            case Command.Lease lease -> true;
            case Command.Delete delete -> true;
            case Command.Configure configure -> true;
            case Command.Watch watch -> false;
            case Command.ListQueues list -> false;
            case Command.Describe describe -> false;
            case Command.Peek peek -> false;
        };
    }
}
