package io.taskmaster.simulation.partition;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Reply;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.naive.RandomCommands;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.simulation.judge.Call;
import io.taskmaster.simulation.judge.Judge;
import io.taskmaster.simulation.world.Scenario;
import io.taskmaster.simulation.world.TinySettings;
import io.taskmaster.simulation.world.Violation;
import io.taskmaster.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A run of one partition. It has these phases:
 *
 * <ol>
 *   <li>Clients and up to four owners, with all faults.
 *   <li>In half of the runs the faults heal now, and every call must be answered.
 *   <li>All owners crash, and everything in flight lands or is lost. The faults heal.
 *   <li>Three more owners, one after the other, list, describe and peek everything. The first of them crashes, the
 *       second closes in order, the third drains every queue.
 * </ol>
 *
 * <p>Then the {@link Judge} checks the whole history. Single-threaded.
 */
public final class PartitionSimulation {

    private static final int CLIENTS = 4;
    private static final int MAX_EVENTS = 400_000;
    private static final long MAX_SETTLE_MICROS = 60_000_000;
    private static final int MAX_ATTEMPTS = 3;
    private static final int EVERYTHING = 1_000_000;

    /**
     * The result of a run.
     *
     * @param steps the number of steps of the first owner
     * @param states the largest number of states that the {@link Judge} carried along; 0 if the run is undecided
     */
    public record Result(int calls, int answers, int owners, long steps, int states, List<String> trace) {}

    private final World world;
    private final Deployment deployment;
    private final RandomCommands commands;
    private int events;

    /** The dedup window. */
    private final long dedupMillis;

    private PartitionSimulation(long seed, Scenario scenario, boolean tracing) {
        this.world = new World(seed, tracing);
        this.commands = new RandomCommands(world.random.split(), world::clockMillis);
        int maxCalls = world.random.nextInt(40, 160);
        PartitionSettings settings = TinySettings.draw(world);
        this.dedupMillis = settings.engine().dedupMillis();
        this.deployment = new Deployment(world, PartitionOwner.factory(world, settings), scenario, maxCalls);
        if (!scenario.faulty()) {
            world.heal();
        }
    }

    private Result run() {
        deployment.supervise();
        for (int i = 0; i < CLIENTS; i++) {
            new Client(world, commands, deployment).scheduleCall();
        }
        while (!deployment.isOver()) {
            step();
        }
        if (world.chance(.5)) {
            world.heal();
            awaitAnswers();
        }
        long steps = deployment.members().getFirst().process().steps();
        deployment.crashAll();
        while (world.hasEvents()) {
            step();
        }
        world.heal();
        readEverything(start()).process().crash("has told everything");
        Deployment.Member closing = readEverything(start());
        closing.owner().close();
        await(closing.owner()::isStopped, "to close");
        closing.process().crash("is closed");
        drain(readEverything(start()));
        int states = Judge.judge(deployment.history(), deployment.tampering().owners(), dedupMillis);
        return new Result(
                deployment.history().size(),
                deployment.history().answers(),
                deployment.tampering().owners().size(),
                steps,
                states,
                world.trace());
    }

    /**
     * Waits until every call is answered: without faults, every owner that is up answers every call, if only with an
     * error.
     */
    private void awaitAnswers() {
        long deadline = world.micros() + MAX_SETTLE_MICROS;
        while (deployment.members().stream()
                .anyMatch(member -> member.isUp() && deployment.history().owedBy(member.process()) > 0)) {
            if (world.micros() > deadline || !world.hasEvents()) {
                throw new Violation("all faults are healed, but somebody waits for an answer");
            }
            step();
        }
    }

    /**
     * Starts an owner and waits until it serves. What its predecessor left in flight may cost it an attempt, three are
     * allowed.
     */
    private Deployment.Member start() {
        for (int attempts = 1; ; attempts++) {
            Deployment.Member member = deployment.start();
            await(() -> member.owner().isServing() || member.owner().isStopped(), "to serve");
            if (member.owner().isServing()) {
                return member;
            }
            if (attempts == MAX_ATTEMPTS) {
                throw new Violation("all faults are healed, but nobody comes up");
            }
        }
    }

    private Deployment.Member readEverything(Deployment.Member member) {
        Selector all = new Selector(Optional.empty(), List.of(), Optional.empty());
        ask(member, new Command.ListQueues(all, 0, 0, EVERYTHING, Optional.empty()));
        for (QueueKey queue : commands.queues()) {
            ask(member, new Command.Peek(queue, Pid.EMPTY, EVERYTHING, EVERYTHING, true));
        }
        ask(member, new Command.Describe(all, 2, EVERYTHING));
        return member;
    }

    /** Leases and dequeues until every queue is empty. */
    private void drain(Deployment.Member member) {
        for (QueueKey queue : commands.queues()) {
            List<Reply.LeasedTask> leased;
            do {
                leased = ((Reply.Leased) ask(
                                member,
                                new Command.Lease(
                                        Selector.of(queue),
                                        3,
                                        EVERYTHING,
                                        60_000,
                                        Optional.empty(),
                                        0,
                                        0,
                                        "w",
                                        "here")))
                        .tasks();
                ask(
                        member,
                        new Command.Update(
                                queue.group(),
                                List.of(),
                                leased.stream()
                                        .map(task -> new Command.Dequeue(queue.name(), task.pid(), task.leaseId()))
                                        .toList(),
                                List.of(),
                                List.of()));
            } while (!leased.isEmpty());
            // The rest cannot be leased: it is leased already, or delayed.
            Reply.Peeked remaining =
                    (Reply.Peeked) ask(member, new Command.Peek(queue, Pid.EMPTY, EVERYTHING, 1, false));
            List<Command.Dequeue> dequeues = new ArrayList<>();
            remaining.tasks().forEach(task -> dequeues.add(new Command.Dequeue(queue.name(), task.pid(), 0)));
            ask(member, new Command.Update(queue.group(), List.of(), dequeues, List.of(), List.of()));
        }
        readEverything(member);
    }

    /** Calls an owner that has no excuse to fail. */
    private Reply ask(Deployment.Member member, Command command) {
        Call call = deployment.ask(member, command, answered -> {});
        await(call::isAnswered, "to answer " + command);
        return call.reply()
                .orElseThrow(() -> new Violation("all faults are healed, but: " + call.error() + " for " + call));
    }

    private void await(BooleanSupplier condition, String what) {
        while (!condition.getAsBoolean()) {
            if (!world.hasEvents()) {
                throw new Violation("all faults are healed, but nothing happens any more while waiting for it " + what);
            }
            step();
        }
    }

    private void step() {
        if (++events > MAX_EVENTS) {
            throw new Violation("no end after " + events + " events");
        }
        world.step();
        world.throwIfBroken();
    }

    /**
     * Simulates a run.
     *
     * @throws Violation with the seed, and with the trace if there is one
     */
    public static Result run(long seed, Scenario scenario, boolean tracing) {
        PartitionSimulation simulation = new PartitionSimulation(seed, scenario, tracing);
        try {
            return simulation.run();
        } catch (Violation | RuntimeException broken) {
            String story = tracing ? "\n" + String.join("\n", simulation.world.trace()) : "";
            throw new Violation("seed " + seed + ": " + broken.getMessage() + story, broken);
        }
    }
}
