package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Peek;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Command.Update;
import io.taskmaster.command.Reply;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.claim.Claim;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.RefusingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tests of a partition whose log cannot be written any more because of corruption: all requests fail with that, and
 * without a retry delay.
 */
final class DamagedPartitionTest {

    private static final QueueKey QUEUE = QueueKey.of("q");
    private static final int TICKS = 10;

    private final RefusingStore store = new RefusingStore();
    private final TurnedLoop loop = new TurnedLoop();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final PartitionNode node = new PartitionNode(
            new ClaimedStore(store, Claim.alone("test"), 1),
            new LoopedNode.Given(List.of(loop)),
            PartitionSettings.DEFAULTS,
            new MemoryBudget(1 << 20, 1 << 20, 1 << 20, 1_000),
            meters,
            new Random(1),
            Duration.ZERO);

    private final List<TaskMasterException> errors = new ArrayList<>();

    @Test
    void whoWaitsWhoIsOnTheWayAndWhoComesLaterIsToldWhatIsDamaged() {
        var opened = node.open();
        loop.pass(1_000);
        opened.join();

        Selector quiet = Selector.of(QueueKey.of("quiet"));
        submit(new Lease(quiet, 1, 1 << 20, 30_000, Optional.empty(), 60_000, 0, "worker", "here"));
        loop.tick();
        assertThat(errors).isEmpty();
        store.damage();
        submit(enqueue());
        peekInLaterTicks(TICKS);
        loop.tick();
        submit(enqueue());
        submit(peek());
        loop.pass(60_000);

        assertThat(errors)
                .extracting(TaskMasterException::code)
                .hasSize(TICKS + 4)
                .containsOnlyOnce(ErrorCode.OUTCOME_UNKNOWN)
                .containsOnly(ErrorCode.OUTCOME_UNKNOWN, ErrorCode.READ_FAILED, ErrorCode.INTERNAL)
                .endsWith(ErrorCode.INTERNAL, ErrorCode.INTERNAL);
        assertThat(errors).allSatisfy(failure -> {
            assertThat(failure).hasMessageStartingWith("partition 0 is closed, because its stored data is damaged: ");
            assertThat(failure.retryAfter()).isEmpty();
        });
        assertThat(meters.get("taskmaster.partitions")
                        .tag("state", "damaged")
                        .gauge()
                        .value())
                .isEqualTo(1);
    }

    /**
     * Submits a peek in each of the coming loop ticks, so that one of them is in the mailbox when the corruption is
     * found.
     */
    private void peekInLaterTicks(int ticks) {
        if (ticks > 0) {
            submit(peek());
            loop.execute(() -> peekInLaterTicks(ticks - 1));
        }
    }

    private static Command enqueue() {
        Payload payload = new Payload(Bytes.of("data"), Map.of());
        Enqueue enqueue = new Enqueue(QUEUE.name(), Optional.of(Pid.of("a")), payload, IfExists.COLLAPSE, 0);
        return new Update(GroupName.EMPTY, List.of(enqueue), List.of(), List.of(), List.of());
    }

    private static Command peek() {
        return new Peek(QUEUE, Pid.of(""), 10, 1 << 20, true);
    }

    private void submit(Command command) {
        node.submit(GroupName.EMPTY, command, new ReplySink() {
            @Override
            public void reply(Reply reply) {
                throw new AssertionError("answered: " + reply);
            }

            @Override
            public void fail(TaskMasterException failure) {
                errors.add(failure);
            }
        });
    }
}
