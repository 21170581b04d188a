package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Reply;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.PartitionOwner;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.claim.Claim;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.log.ownership.NotAdmittedException;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.log.ownership.PartitionRecord;
import io.taskmaster.server.partition.log.ownership.PartitionRecordCodec;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of two nodes on one store that give partitions to each other, or take them. */
final class HostedPartitionTest {

    private static final int PARTITIONS = 2;
    private static final int MOVED = 1;
    private static final QueueKey QUEUE = QueueKey.of("q");

    private final MemoryStore store = new MemoryStore();
    private final TurnedLoop loop = new TurnedLoop();
    private final PartitionNode a = node("a");
    private final PartitionNode b = node("b");

    @Test
    void aNodeHostsOnePartitionByItself() {
        done(a.host(MOVED, owner("a#1", 1)));

        assertThat(enqueue(a, "first").reply()).isInstanceOf(Reply.Updated.class);
        assertThat(enqueue(b, "second").error()).satisfies(error -> {
            assertThat(error.code()).isEqualTo(ErrorCode.NOT_OWNER);
            assertThat(error.owner()).contains(PartitionOwner.unknown(MOVED));
        });
        assertThat(a.health().partitions()).containsOnly(Map.entry("serving", 1), Map.entry("away", 1));
        assertThat(a.health().isServing()).isTrue();
        assertThat(a.health().reason()).isEmpty();
    }

    @Test
    void aNodeWithoutPartitionsIsWell() {
        assertThat(b.health().isServing()).isTrue();
        assertThat(b.health().partitions()).containsOnly(Map.entry("away", PARTITIONS));
    }

    @Test
    void aPartitionThatIsGivenAwayEndsCleanAndItsTasksAreThereForTheNextOwner() {
        done(a.host(MOVED, owner("a#1", 1)));
        enqueue(a, "task");

        var next = new PartitionOwner(MOVED, 2, "b#1", "host:7400");
        CompletableFuture<Void> given = a.give(MOVED, next);
        Answer refused = enqueue(a, "late");
        done(given);

        assertThat(refused.error().owner())
                .as("told while the partition settles")
                .contains(next);
        assertThat(enqueue(a, "later").error().owner()).contains(next);
        assertThat(record().stage()).isEqualTo(PartitionRecord.Stage.CLOSED);
        done(b.host(MOVED, owner("b#1", 2)));
        assertThat(peek(b)).containsExactly(Pid.of("task"));
        assertThat(record().endedRounds().unclean()).isEmpty();
    }

    @Test
    void anOwnerThatIsDeposedLetsGoOfThatPartitionAlone() {
        done(a.host(0, owner("a#1", 1)));
        done(a.host(MOVED, owner("a#1", 1)));
        enqueue(a, "task");

        done(b.host(MOVED, owner("b#1", 2)));
        Answer lost = enqueue(a, "late");
        loop.pass(5_000);

        assertThat(lost.error().code()).isNotEqualTo(ErrorCode.INTERNAL);
        assertThat(enqueue(a, "later").error().owner()).contains(new PartitionOwner(MOVED, 2, "b#1", ""));
        assertThat(peek(b)).containsExactly(Pid.of("task"));
        assertThat(a.health().partitions()).containsOnly(Map.entry("serving", 1), Map.entry("away", 1));
        assertThat(a.lost()).isNotDone();
    }

    @Test
    void aMapVersionThatNamedAnotherOwnerOpensNothing() {
        done(a.host(MOVED, owner("a#1", 3)));

        CompletableFuture<Void> older = b.host(MOVED, owner("b#1", 2));
        loop.pass(1_000);
        CompletableFuture<Void> same = b.host(MOVED, owner("b#1", 3));
        loop.pass(1_000);

        assertThat(older.exceptionNow()).isInstanceOf(NotAdmittedException.class);
        assertThat(same.exceptionNow()).isInstanceOf(NotAdmittedException.class);
        assertThat(enqueue(a, "task").reply()).isInstanceOf(Reply.Updated.class);
        assertThat(record().epoch()).as("takeovers").isEqualTo(1);
    }

    @Test
    void aPartitionComesBackUnderALaterMap() {
        done(a.host(MOVED, owner("a#1", 1)));
        enqueue(a, "task");
        done(a.give(MOVED, new PartitionOwner(MOVED, 2, "b#1", "")));
        done(b.host(MOVED, owner("b#1", 2)));
        done(b.give(MOVED, new PartitionOwner(MOVED, 3, "a#1", "")));

        done(a.host(MOVED, owner("a#1", 3)));

        assertThat(peek(a)).containsExactly(Pid.of("task"));
        assertThat(enqueue(b, "late").error().owner().orElseThrow().owner()).isEqualTo("a#1");
    }

    @Test
    void aPartitionThatWaitsForItsNextEpochCanBeGivenAway() {
        done(a.host(MOVED, owner("a#1", 1)));
        done(b.host(MOVED, owner("b#1", 2)));
        enqueue(a, "late");

        done(a.give(MOVED, new PartitionOwner(MOVED, 2, "b#1", "")));
        loop.pass(60_000);

        assertThat(record().epoch()).as("takeovers").isEqualTo(2);
        assertThat(a.health().partitions()).containsOnly(Map.entry("away", PARTITIONS));
    }

    private PartitionNode node(String name) {
        return new PartitionNode(
                new ClaimedStore(store, Claim.alone(name), PARTITIONS),
                new LoopedNode.Given(List.of(loop)),
                PartitionSettings.DEFAULTS,
                new MemoryBudget(1 << 20, 1 << 20, 1 << 20, 1_000),
                new SimpleMeterRegistry(),
                new Random(1),
                Duration.ZERO);
    }

    private static OwnerCandidate owner(String name, long mapVersion) {
        return new OwnerCandidate(name, mapVersion);
    }

    private void done(CompletableFuture<Void> future) {
        loop.pass(10_000);
        assertThat(future).isCompleted();
    }

    private Answer enqueue(PartitionNode node, String pid) {
        Payload payload = new Payload(Bytes.of("data"), Map.of());
        Enqueue enqueue = new Enqueue(QUEUE.name(), Optional.of(Pid.of(pid)), payload, IfExists.COLLAPSE, 0);
        return ask(node, new Command.Update(GroupName.EMPTY, List.of(enqueue), List.of(), List.of(), List.of()));
    }

    private List<Pid> peek(PartitionNode node) {
        Reply reply = ask(node, new Command.Peek(QUEUE, Pid.EMPTY, 10, 1 << 20, false))
                .reply();
        return ((Reply.Peeked) reply)
                .tasks().stream().map(Reply.PeekedTask::pid).toList();
    }

    private Answer ask(PartitionNode node, Command command) {
        Answer answer = new Answer();
        node.submit(MOVED, command, answer);
        loop.tick();
        return answer;
    }

    private PartitionRecord record() {
        return PartitionRecordCodec.decode(
                MOVED,
                store.read(List.of(PartitionRecordCodec.key(MOVED)))
                        .join()
                        .getFirst()
                        .orElseThrow()
                        .value());
    }

    /** The answer to a request. */
    private static final class Answer implements ReplySink {

        private final List<Reply> replies = new ArrayList<>();
        private final List<TaskMasterException> errors = new ArrayList<>();

        @Override
        public void reply(Reply reply) {
            replies.add(reply);
        }

        @Override
        public void fail(TaskMasterException error) {
            errors.add(error);
        }

        Reply reply() {
            assertThat(errors).isEmpty();
            assertThat(replies).hasSize(1);
            return replies.getFirst();
        }

        TaskMasterException error() {
            assertThat(replies).isEmpty();
            assertThat(errors).hasSize(1);
            return errors.getFirst();
        }
    }
}
