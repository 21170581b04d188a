package io.taskmaster.simulation.partition;

import io.taskmaster.command.Command;
import io.taskmaster.simulation.judge.Call;
import io.taskmaster.simulation.judge.History;
import io.taskmaster.simulation.store.FaultyStore;
import io.taskmaster.simulation.store.StoredRows;
import io.taskmaster.simulation.store.Tampering;
import io.taskmaster.simulation.world.OwnerProcess;
import io.taskmaster.simulation.world.Scenario;
import io.taskmaster.simulation.world.SimulatedLoop;
import io.taskmaster.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The processes that own the partition or believe they do, on one store, with their supervisor. Single-threaded: owned
 * by the simulation.
 */
final class Deployment {

    private static final int MAX_OWNERS = 4;
    private static final int MAX_OWED = 4;

    /** A process and the partition in it. Immutable. */
    record Member(OwnerProcess process, Owner owner) {

        boolean isUp() {
            return !process.hasCrashed() && !owner.isStopped();
        }
    }

    private final World world;
    private final Owner.Factory factory;
    private final StoredRows rows = new StoredRows();
    private final Tampering tampering;
    private final History history = new History();
    private final List<Member> members = new ArrayList<>();
    private final Map<Integer, Long> crashes;
    private final int maxCalls;
    private boolean over;

    Deployment(World world, Owner.Factory factory, Scenario scenario, int maxCalls) {
        this.world = world;
        this.factory = factory;
        this.tampering = new Tampering(rows, scenario.reverted());
        this.crashes = scenario.crashes();
        this.maxCalls = maxCalls;
    }

    StoredRows rows() {
        return rows;
    }

    History history() {
        return history;
    }

    Tampering tampering() {
        return tampering;
    }

    List<Member> members() {
        return members;
    }

    boolean isOver() {
        return over || history.size() >= maxCalls;
    }

    /** Starts a process. */
    Member start() {
        OwnerProcess process = new OwnerProcess(world, "O" + (members.size() + 1));
        process.crashAtStep(crashes.getOrDefault(members.size() + 1, Long.MAX_VALUE));
        FaultyStore store = new FaultyStore(world, rows, process, tampering);
        process.log(() -> "comes up");
        Owner owner = factory.open(new SimulatedLoop(world, process), store, world.random.split(), process.name());
        Member member = new Member(process, owner);
        members.add(member);
        return member;
    }

    /** Starts supervision. From now on a process is started soon while none is up, and sometimes although one is. */
    void supervise() {
        world.in(world.logUniform(100, 5_000), () -> {
            boolean someoneIsUp = members.stream().anyMatch(Member::isUp);
            if (members.size() < MAX_OWNERS) {
                if (!someoneIsUp || world.chance(world.faults.rival())) {
                    start();
                }
            } else if (!someoneIsUp) {
                over = true;
            }
            if (!isOver()) {
                supervise();
            }
        });
    }

    /**
     * Returns the processes that a client may call. Some are deposed, some are not ready. A process with many
     * unanswered calls is left out.
     */
    List<Member> membersThatAnswer() {
        List<Member> up = members.stream()
                .filter(member -> member.isUp() && history.owedBy(member.process()) < MAX_OWED)
                .toList();
        List<Member> serving =
                up.stream().filter(member -> member.owner().isServing()).toList();
        return serving.isEmpty() && world.chance(.1) ? up : serving;
    }

    Call ask(Member member, Command command, Consumer<Call> whenAnswered) {
        Call call = new Call(world, history.size() + 1, member.process(), command, answered -> {
            history.answered(answered);
            whenAnswered.accept(answered);
        });
        history.invoked(call);
        world.log(() -> "    " + call);
        member.process().in(0, () -> member.owner().submit(command, call));
        return call;
    }

    /** Crashes all processes. */
    void crashAll() {
        members.forEach(member -> member.process().crash("end of the run"));
    }
}
