package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Command.Update;
import io.taskmaster.command.RankOrder;
import io.taskmaster.command.Ranking;
import io.taskmaster.command.Reply;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.engine.rank.RankScan;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.context.NodeResources;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests of patterns of the highest allowed cost, with names to match: no loop tick does more than a bounded number of
 * steps of matching, whatever the command.
 */
class HostilePatternTest {

    private static final GroupName GROUP = GroupName.EMPTY;

    /**
     * The limit of steps in one loop tick: twice {@code INLINE_STEPS}, as a tick may begin in the middle of a task of
     * the loop.
     */
    private static final long MAX_STEPS = 100_000;

    private static final int QUEUES = 150;

    /** A pattern of 483 instructions, all of which process each character of a name. */
    private static final String HOSTILE = "\\d*" + "a*".repeat(240);

    /** A command with a pattern. */
    enum Ask {
        LIST,
        DESCRIBE,
        LEASE,
        WATCH,
        DELETE;

        Command command(Selector selector) {
            return switch (this) {
                case LIST -> new Command.ListQueues(selector, 0, 0, 1_000, Optional.empty());
                case DESCRIBE -> new Command.Describe(selector, 0, 10);
                case LEASE -> lease(selector, 0);
                case WATCH -> new Command.Watch(lease(selector, 1_000));
                case DELETE -> new Command.Delete(selector);
            };
        }
    }

    private final TurnedLoop loop = new TurnedLoop();
    private final Partition partition = open();

    @ParameterizedTest
    @EnumSource(Ask.class)
    void aSmallRequestOvertakesWhateverIsAskedForByAHostilePattern(Ask ask) {
        enqueue(QUEUES, i -> "a".repeat(40) + i);
        Answer asked = start(ask.command(pattern(HOSTILE + "\\d*")));

        loop.holdOffloaded();
        Answer small = start(enqueues(1, i -> "small"));
        tickInBoundedSteps();
        assertThat(small.reply).as("while the names are matched").isNotNull();
        assertThat(asked.reply).isNull();

        loop.releaseOffloaded();
        tickInBoundedSteps();
        switch (asked.get()) {
            case Reply.Listed listed -> assertThat(listed.queues()).hasSize(QUEUES);
            case Reply.Described described -> assertThat(described.matched()).isEqualTo(QUEUES);
            case Reply.Leased leased -> assertThat(leased.tasks()).hasSize(1);
            case Reply.Watched watched -> assertThat(watched.found()).isTrue();
            case Reply.Deleted deleted -> assertThat(deleted.queues()).hasSize(QUEUES);
            case Reply other -> throw new AssertionError(other);
        }
    }

    @Test
    void aWalkWaitsForAHostilePatternBesideTheLoop() {
        enqueue(QUEUES, i -> "a".repeat(40) + i);
        CompletableFuture<Optional<Ranking.Page>> page = rank(HOSTILE + "\\d*");
        loop.holdOffloaded();
        Answer small = start(enqueues(1, i -> "small"));
        tickInBoundedSteps();
        assertThat(small.reply).isNotNull();
        assertThat(page).isNotDone();

        loop.releaseOffloaded();
        tickInBoundedSteps();
        assertThat(page.join().orElseThrow().matched()).isEqualTo(QUEUES);
    }

    /**
     * Verifies the cost of an enqueue while waiters have patterns, each of which has to be matched with each new queue.
     */
    @Test
    void anEnqueueDoesNotPayForThePatternsOfThoseWhoWait() {
        List<Answer> waiting = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            waiting.add(start(lease(pattern(HOSTILE + "x" + i), 60_000)));
        }
        tickInBoundedSteps();

        loop.holdOffloaded();
        Answer enqueue = start(enqueues(1, i -> "a".repeat(1_000) + "x7"));
        tickInBoundedSteps();
        assertThat(enqueue.reply).as("while the name is matched").isNotNull();

        loop.releaseOffloaded();
        tickInBoundedSteps();
        for (int i = 0; i < waiting.size(); i++) {
            assertThat(waiting.get(i).reply != null).as("waiter %d", i).isEqualTo(i == 7);
        }
        finished(start(enqueues(1, i -> "x9")));
        assertThat(waiting.get(9).reply).as("waits on, and is found").isNotNull();
    }

    @Test
    void queuesThatComeWhileOthersAreCountedAreCounted() {
        enqueue(2_500, i -> "a" + i);
        Answer describe = start(new Command.Describe(pattern(HOSTILE + "\\d*"), 0, 1));
        int more = 0;
        while (describe.reply == null) {
            assertThat(stepInBoundedSteps()).isTrue();
            if (more < 20) {
                int number = 10_000 + more++;
                start(enqueues(1, i -> "a".repeat(500) + number));
            }
        }
        assertThat(((Reply.Described) describe.get()).matched()).isEqualTo(2_520);
    }

    @Test
    void whatIsTooMuchWorkIsRefusedBeforeAnyOfItIsDone() {
        String tooMuch = HOSTILE + "a*".repeat(240) + "\\d*";
        enqueue(1_200, i -> "a".repeat(1_000) + i);
        CompletableFuture<Optional<Ranking.Page>> page = rank(tooMuch);
        List<Answer> refused = new ArrayList<>();
        for (Ask ask : Ask.values()) {
            refused.add(start(ask.command(pattern(tooMuch))));
        }
        loop.holdOffloaded();
        tickInBoundedSteps();

        assertThat(refused).allSatisfy(answer -> {
            assertThat(answer.refusal().code()).isEqualTo(ErrorCode.PATTERN_TOO_COSTLY);
            assertThat(answer.refusal())
                    .hasMessageContaining("instructions")
                    .hasMessageContaining("expected: at most 1073741824");
        });
        assertThat(page).isCompletedExceptionally();

        loop.releaseOffloaded();
        finished(start(lease(pattern("a.*"), 0)));
    }

    @Test
    void namesAreMatchedForNobodyWhoIsGone() {
        enqueue(QUEUES, i -> "a".repeat(40) + i);
        Answer list = start(Ask.LIST.command(pattern(HOSTILE + "\\d*")));
        list.cancelled = true;
        loop.tick();

        assertThat(list.refusal().code()).isEqualTo(ErrorCode.READ_FAILED);
    }

    @Test
    void whoWaitsForAPatternIsToldWhenItsPartitionStops() {
        enqueue(QUEUES, i -> "a".repeat(40) + i);
        Answer list = start(Ask.LIST.command(pattern(HOSTILE + "\\d*")));
        CompletableFuture<Optional<Ranking.Page>> page = rank(HOSTILE + "b");
        loop.holdOffloaded();
        loop.tick();
        partition.stop("crash");
        loop.releaseOffloaded();
        loop.tick();

        assertThat(list.failure).isNotNull();
        assertThat(page).isCompletedWithValue(Optional.empty());
    }

    @Test
    void aLongPollThatIsDecidedWhileItsPartitionDrainsIsAnswered() {
        enqueue(QUEUES, i -> "a".repeat(40) + i);
        loop.pass(10_000);
        loop.holdOffloaded();
        Answer poll = start(lease(pattern(HOSTILE + "x"), 60_000));
        CompletableFuture<Void> drained = partition.drain();
        loop.pass(10_000);
        assertThat(drained).as("while the names are matched").isNotDone();

        loop.releaseOffloaded();
        loop.pass(10_000);
        assertThat(drained).isCompleted();
        assertThat(((Reply.Leased) poll.get()).tasks()).isEmpty();
    }

    // ---------------------------------------------------------------- helpers

    private void tickInBoundedSteps() {
        boolean more = true;
        while (more) {
            more = stepInBoundedSteps();
        }
    }

    private boolean stepInBoundedSteps() {
        long before = stepsMade();
        boolean ran = loop.step();
        assertThat(stepsMade() - before).as("steps in one turn").isLessThanOrEqualTo(MAX_STEPS);
        return ran;
    }

    private long stepsMade() {
        return partition.engine().orElseThrow().selectors().stepsMade();
    }

    private CompletableFuture<Optional<Ranking.Page>> rank(String pattern) {
        CompletableFuture<Optional<Ranking.Page>> page = new CompletableFuture<>();
        Ranking.Question byName = new Ranking.Question(pattern(pattern), RankOrder.NAME, false, 3, Optional.empty());
        partition.scan(now -> new RankScan(byName, now), page);
        return page;
    }

    private static Lease lease(Selector selector, long waitMillis) {
        return new Lease(selector, 1, 1 << 20, 600_000, Optional.empty(), waitMillis, 0, "worker", "here");
    }

    private static Selector pattern(String pattern) {
        return new Selector(Optional.of(GROUP), List.of(), Optional.of(NamePattern.compile(pattern)));
    }

    private void enqueue(int tasks, IntFunction<String> queue) {
        finished(start(enqueues(tasks, queue)));
    }

    private static Update enqueues(int tasks, IntFunction<String> queue) {
        List<Enqueue> enqueues = IntStream.range(0, tasks)
                .mapToObj(i -> new Enqueue(
                        QueueName.of(queue.apply(i)),
                        Optional.of(Pid.of("p")),
                        new Payload(Bytes.EMPTY, Map.of()),
                        IfExists.COLLAPSE,
                        0))
                .toList();
        return new Update(GROUP, enqueues, List.of(), List.of(), List.of());
    }

    private Answer start(Command command) {
        Answer answer = new Answer();
        long before = stepsMade();
        partition.submit(command, answer);
        assertThat(stepsMade() - before).as("steps as it comes in").isLessThanOrEqualTo(MAX_STEPS);
        return answer;
    }

    private Answer finished(Answer answer) {
        loop.tick();
        assertThat(answer.reply).isNotNull();
        return answer;
    }

    private Partition open() {
        Partition opened = new Partition(
                0,
                OwnerCandidate.alone("test"),
                new MemoryStore(),
                loop,
                PartitionSettings.DEFAULTS,
                NodeResources.of(
                        new MemoryBudget(1L << 30, 1L << 30, 1 << 20, Long.MAX_VALUE), PartitionSettings.DEFAULTS),
                new Random(1));
        var opening = opened.open();
        loop.tick();
        opening.join();
        return opened;
    }

    private static final class Answer implements ReplySink {

        private @Nullable Reply reply;
        private @Nullable TaskMasterException failure;
        private boolean cancelled;

        @Override
        public void reply(Reply answer) {
            assertThat(reply).isNull();
            reply = answer;
        }

        @Override
        public void fail(TaskMasterException error) {
            failure = error;
        }

        @Override
        public boolean isCancelled() {
            return cancelled;
        }

        TaskMasterException refusal() {
            return Objects.requireNonNull(failure, "not refused");
        }

        Reply get() {
            assertThat(failure).isNull();
            return Objects.requireNonNull(reply, "not answered");
        }
    }
}
