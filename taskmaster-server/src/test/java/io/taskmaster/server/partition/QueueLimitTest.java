package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Configure;
import io.taskmaster.command.Command.Dequeue;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Renew;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Command.Update;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Reply;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.context.NodeResources;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of a node with as many queues as allowed: only requests that need a new queue are refused. */
final class QueueLimitTest {

    private static final long MAX_QUEUES = 2;
    private static final long ROUNDS_MILLIS = 10_000;
    private static final QueueOptions PAUSED = new QueueOptions(true, 0, 1);

    private final MemoryStore store = new MemoryStore();
    private final TurnedLoop loop = new TurnedLoop();
    private MemoryBudget budget = budget(MAX_QUEUES);
    private Partition partition = open(0);

    @BeforeEach
    void fill() {
        assertThat(enqueue(partition, "a").success()).isTrue();
        assertThat(enqueue(partition, "b").success()).isTrue();
    }

    @Test
    void whatNeedsANewQueueIsRefusedAndToldWhenToComeAgain() {
        refused(update("c"));
        refused(new Configure(key("c"), PAUSED));

        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void aRefusedUpdateIsRefusedAsAWhole() {
        Reply.LeasedTask task = lease("a").getFirst();
        Update update = new Update(
                GroupName.EMPTY,
                List.of(enqueue("b", "2", 0), enqueue("c", "1", 0)),
                List.of(),
                List.of(new Renew(task.queue().name(), task.pid(), task.leaseId(), 1_000_000)),
                List.of());
        refused(update);

        loop.pass(40_000);
        assertThat(lease("a")).as("it was not renewed").hasSize(1);
        assertThat(lease("b")).hasSize(1);
    }

    @Test
    void whatIsQueuedGoesOn() {
        Reply.LeasedTask task = lease("a").getFirst();
        assertThat(enqueue(partition, "a").success()).isTrue();
        long soon = loop.nowMillis() + 5_000;
        Reply.Updated handedOn = updated(
                partition,
                new Update(
                        GroupName.EMPTY,
                        List.of(enqueue("b", "later", soon)),
                        List.of(new Dequeue(task.queue().name(), task.pid(), task.leaseId())),
                        List.of(),
                        List.of()));
        assertThat(handedOn.success()).isTrue();
        configure(key("b"), PAUSED);
        configure(key("b"), QueueOptions.NONE);
        configure(key("c"), QueueOptions.NONE);

        loop.pass(6_000);
        assertThat(lease("b")).as("one that was delayed with it").hasSize(2);
    }

    @Test
    void anUpdateThatIsRefusedAnywayHearsWhy() {
        Update update = new Update(
                GroupName.EMPTY,
                List.of(enqueue("c", "1", 0)),
                List.of(new Dequeue(QueueName.of("a"), Pid.of("not there"), 0)),
                List.of(),
                List.of());

        Reply.Updated reply = updated(partition, update);

        assertThat(reply.dequeues()).containsExactly(Reply.Status.NOT_FOUND);
        assertThat(reply.enqueues()).containsExactly(Reply.Status.ABORTED);
    }

    /** Verifies that long names count with their size; the budget suffices for 1,000 short ones. */
    @Test
    void longNamesCountForWhatTheyTake() {
        budget = budget(1_000);
        partition = open(1);
        int accepted = 0;
        Answer answer = ask(partition, update("x".repeat(1_000) + accepted));
        while (answer.errors.isEmpty()) {
            accepted++;
            answer = ask(partition, update("x".repeat(1_000) + accepted));
        }

        assertThat(answer.errors.getFirst().code()).isEqualTo(ErrorCode.TOO_MANY_QUEUES);
        assertThat(accepted).isBetween(400, 450);
        assertThat(budget.use().queueBytes()).isBetween(630_000L, 640_000L);
        partition.stop("crash");
        assertThat(budget.use().queueBytes()).as("gone with its partition").isZero();
    }

    @Test
    void emptiedQueuesMakeRoom() {
        dequeue("a", "b");
        refused(update("c"));

        loop.pass(ROUNDS_MILLIS);
        assertThat(enqueue(partition, "c").success()).isTrue();
        assertThat(enqueue(partition, "d").success()).isTrue();
        refused(update("e"));
    }

    @Test
    void aNameWithOptionsKeepsItsPlace() {
        configure(key("a"), PAUSED);
        dequeue("a", "b");
        loop.pass(ROUNDS_MILLIS);

        assertThat(enqueue(partition, "c").success()).isTrue();
        refused(update("d"));
        assertThat(enqueue(partition, "a").success())
                .as("its options were kept")
                .isTrue();
    }

    @Test
    void allPartitionsOfANodeShareTheLimit() {
        Partition other = open(1);
        refused(other, update("c"));

        dequeue("a");
        loop.pass(ROUNDS_MILLIS);
        assertThat(enqueue(other, "c").success()).isTrue();
        refused(update("d"));

        other.stop("moved");
        assertThat(enqueue(partition, "d").success()).isTrue();
    }

    @Test
    void moreQueuesThanTheLimitAreRecoveredAndServed() {
        loop.pass(ROUNDS_MILLIS);
        partition.stop("crash");
        budget = budget(1);
        partition = open(0);

        assertThat(names()).containsExactly("a", "b");
        assertThat(enqueue(partition, "a").success()).isTrue();
        assertThat(lease("a")).hasSize(2);
        refused(update("c"));
        dequeue("b");
        loop.pass(ROUNDS_MILLIS);
        refused(update("c"));
    }

    private static MemoryBudget budget(long maxQueues) {
        return new MemoryBudget(1 << 20, 1 << 20, 1 << 20, maxQueues);
    }

    private Partition open(int id) {
        Partition opened = new Partition(
                id,
                OwnerCandidate.alone("test"),
                store,
                loop,
                PartitionSettings.DEFAULTS,
                NodeResources.of(budget, PartitionSettings.DEFAULTS),
                new Random(id));
        var opening = opened.open();
        loop.tick();
        opening.join();
        return opened;
    }

    private static QueueKey key(String name) {
        return new QueueKey(GroupName.EMPTY, QueueName.of(name));
    }

    private static Enqueue enqueue(String queue, String pid, long notBeforeMillis) {
        Payload payload = new Payload(Bytes.of("data"), Map.of());
        return new Enqueue(QueueName.of(queue), Optional.of(Pid.of(pid)), payload, IfExists.COLLAPSE, notBeforeMillis);
    }

    /** Returns an update that enqueues one more task. */
    private Update update(String queue) {
        return new Update(
                GroupName.EMPTY, List.of(enqueue(queue, "at " + loop.nowMillis(), 0)), List.of(), List.of(), List.of());
    }

    private Reply.Updated enqueue(Partition into, String queue) {
        loop.pass(1);
        return updated(into, update(queue));
    }

    /** Dequeues all tasks of these queues. */
    private void dequeue(String... queues) {
        Arrays.stream(queues).flatMap(queue -> lease(queue).stream()).forEach(task -> {
            Dequeue dequeue = new Dequeue(task.queue().name(), task.pid(), task.leaseId());
            Update update = new Update(GroupName.EMPTY, List.of(), List.of(dequeue), List.of(), List.of());
            assertThat(updated(partition, update).success()).isTrue();
        });
    }

    private List<Reply.LeasedTask> lease(String queue) {
        Lease lease = new Lease(Selector.of(key(queue)), 10, 1 << 20, 30_000, Optional.empty(), 0, 0, "worker", "here");
        return ((Reply.Leased) answered(partition, lease)).tasks();
    }

    private List<String> names() {
        Selector all = new Selector(Optional.of(GroupName.EMPTY), List.of(), Optional.empty());
        Reply.Listed listed =
                (Reply.Listed) answered(partition, new Command.ListQueues(all, 0, 0, 10, Optional.empty()));
        return listed.queues().stream()
                .map(summary -> summary.queue().name().toString())
                .toList();
    }

    private void refused(Command command) {
        refused(partition, command);
    }

    private void refused(Partition by, Command command) {
        Answer answer = ask(by, command);
        assertThat(answer.replies).isEmpty();
        assertThat(answer.errors).singleElement().satisfies(error -> {
            assertThat(error.code()).isEqualTo(ErrorCode.TOO_MANY_QUEUES);
            assertThat(error.retryAfter()).contains(Duration.ofSeconds(1));
        });
    }

    private void configure(QueueKey queue, QueueOptions options) {
        assertThat(answered(partition, new Configure(queue, options))).isEqualTo(new Reply.Configured());
    }

    private Reply.Updated updated(Partition by, Update update) {
        return (Reply.Updated) answered(by, update);
    }

    private Reply answered(Partition by, Command command) {
        Answer answer = ask(by, command);
        assertThat(answer.errors).isEmpty();
        assertThat(answer.replies).hasSize(1);
        return answer.replies.getFirst();
    }

    private Answer ask(Partition whom, Command command) {
        Answer answer = new Answer();
        whom.submit(command, answer);
        loop.tick();
        return answer;
    }

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
    }
}
