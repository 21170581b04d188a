package io.taskmaster.server.engine.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.decide.Engine;
import io.taskmaster.server.engine.index.EngineState;
import io.taskmaster.server.engine.state.EngineSettings;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.TimeHint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tests of the round-robin of leases: of the queues that hold tasks and that a selector chooses, each is served at
 * least once in as many leases of one task, or in as many tasks of one lease, as there are queues.
 */
final class FairLeaseTest {

    private static final GroupName GROUP = GroupName.of("g");
    private static final int QUEUES = 10;

    private final PartitionState state = new PartitionState(new EngineSettings(1, 0, 120_000));
    private final EngineState engine = EngineState.of(state);
    private final Random random = new Random(3);

    FairLeaseTest() {
        state.recovered();
        state.hints().loaded(TimeHint.FIRST, List.of(), null);
        enqueue(name(0), 5_000);
        for (int i = 1; i < QUEUES; i++) {
            enqueue(name(i), 600);
        }
    }

    @Test
    void oneThatIsFloodedDoesNotKeepTheOthersFromTheirTurns() {
        assertTurns(leaseOneByOne(pattern("q.*"), QUEUES * 50), QUEUES);
    }

    @Test
    void whoSelectsOtherQueuesDoesNotDisturbTheTurns() {
        List<LeasedTask> seen = new ArrayList<>();
        for (int i = 0; i < QUEUES * 20; i++) {
            seen.addAll(lease(pattern("q.*"), 1));
            lease(random.nextBoolean() ? pattern("q[45]") : Selector.of(new QueueKey(GROUP, name(7))), 1);
        }
        assertTurns(seen, QUEUES);
    }

    @Test
    void aLeaseOfManyTakesFromEachInTurnAndTheNextGoesOnBehind() {
        List<LeasedTask> seen = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            seen.addAll(lease(pattern("q.*"), 1 + random.nextInt(7)));
        }
        assertTurns(seen, QUEUES);
    }

    @Test
    void namesAndAPatternTogetherAreOneCircle() {
        Selector union =
                new Selector(Optional.of(GROUP), List.of(name(0), name(9)), Optional.of(NamePattern.compile("q[345]")));
        assertTurns(leaseOneByOne(union, 200), 5);
    }

    /** Asserts that each queue comes once in this many tasks in a row. */
    private static void assertTurns(List<LeasedTask> seen, int queues) {
        for (int i = 0; i + queues <= seen.size(); i++) {
            assertThat(seen.subList(i, i + queues))
                    .as("leases %d to %d", i, i + queues - 1)
                    .extracting(task -> task.queue().name())
                    .doesNotHaveDuplicates();
        }
    }

    private List<LeasedTask> leaseOneByOne(Selector selector, int times) {
        List<LeasedTask> seen = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            seen.addAll(lease(selector, 1));
        }
        return seen;
    }

    private List<LeasedTask> lease(Selector selector, int tasks) {
        Command.Lease lease = new Command.Lease(selector, tasks, 1 << 20, 600_000, Optional.empty(), 0, 0, "w", "here");
        state.advance(1_000);
        Decision.Done done = (Decision.Done) Engine.decide(engine, lease, 1_000);
        state.apply(Objects.requireNonNull(done.atom()), 1_000);
        Reply.Leased leased = (Reply.Leased) done.reply();
        engine.selectors().leased(lease, leased);
        return leased.tasks();
    }

    private void enqueue(QueueName queue, int tasks) {
        Command.Enqueue enqueue = new Command.Enqueue(
                queue, Optional.empty(), new Command.Payload(Bytes.EMPTY, Map.of()), Command.IfExists.COLLAPSE, 0);
        Command.Update update =
                new Command.Update(GROUP, Collections.nCopies(tasks, enqueue), List.of(), List.of(), List.of());
        Decision.Done done = (Decision.Done) Engine.decide(engine, update, 1_000);
        state.apply(Objects.requireNonNull(done.atom()), 1_000);
    }

    private static Selector pattern(String regex) {
        return new Selector(Optional.of(GROUP), List.of(), Optional.of(NamePattern.compile(regex)));
    }

    private static QueueName name(int i) {
        return QueueName.of("q" + i);
    }
}
