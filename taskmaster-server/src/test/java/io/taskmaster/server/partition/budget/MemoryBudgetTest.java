package io.taskmaster.server.partition.budget;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.decide.Engine;
import io.taskmaster.server.engine.index.EngineState;
import io.taskmaster.server.engine.state.EngineSettings;
import io.taskmaster.server.engine.state.FlushRound;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.Queues;
import io.taskmaster.server.engine.state.TimeHint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of eviction between partitions that consist of their state only. */
final class MemoryBudgetTest {

    private static final int TASK_BYTES = 1_000;
    private static final long MAX_QUEUES = 100;

    private static final int DIRTY_BYTES = 1 << 19;

    private final MemoryBudget budget = new MemoryBudget(1 << 20, DIRTY_BYTES, 1 << 20, MAX_QUEUES);
    private final List<Holder> asked = new ArrayList<>();

    @Test
    void manyThatHoldLittleGiveUpBeforeTheOneInUse() {
        List<Holder> idle = IntStream.range(0, 50).mapToObj(_ -> new Holder(10)).toList();
        Holder busy = new Holder(300);
        assertThat(budget.windowsInUse()).isGreaterThan(1 << 20);

        while (!asked.isEmpty()) {
            asked.removeFirst().evict();
        }
        assertThat(budget.windowsInUse()).isLessThan(1 << 20);
        assertThat(busy.evicted).isZero();
        assertThat(idle.getFirst().evicted).as("idle longest").isPositive();
        assertThat(idle.getLast().evicted).as("used last").isZero();
    }

    @Test
    void theOneInUseGivesUpWhatTheOthersCannot() {
        Holder idle = new Holder(100);
        Holder busy = new Holder(1_200);
        while (!asked.isEmpty()) {
            asked.removeFirst().evict();
        }
        assertThat(idle.evicted).isPositive();
        assertThat(busy.evicted).isPositive();
        assertThat(budget.windowsInUse()).isLessThan(1 << 20);
    }

    @Test
    void whoCannotGiveUpIsNotAskedAgainBeforeItsNextRound() {
        Holder dirty = new Holder(1_200);
        dirty.pinned = true;
        assertThat(asked).containsExactly(dirty);
        asked.removeFirst().evict();
        dirty.share.settle(dirty.state);
        assertThat(asked).isEmpty();

        dirty.pinned = false;
        dirty.share.unblockEviction();
        dirty.share.settle(dirty.state);
        asked.removeFirst().evict();
        assertThat(budget.windowsInUse()).isLessThan(1 << 20);
    }

    @Test
    void whoIsGoneTakesNothingWithHim() {
        Holder released = new Holder(500);
        released.share.release();
        released.share.settle(released.state);
        assertThat(budget.windowsInUse()).isZero();
        assertThat(released.share.isDirtyFull(false)).isFalse();
    }

    /**
     * Verifies that all memory of an ended epoch, dirty or clean, is free for the others, and that later figures of it
     * are ignored.
     */
    @Test
    void allThatAnEndedEpochHeldIsGivenBack() {
        MemoryBudget.Amounts nothing = budget.use();
        Holder staying = new Holder(7);
        MemoryBudget.Amounts without = budget.use();
        Holder released = new Holder(20);
        released.dirtyUntil(without.dirtyBytes() + 5 * TASK_BYTES);
        released.enqueueOnce("a request");
        assertThat(budget.use().dedupBytes()).isGreaterThan(without.dedupBytes());
        assertThat(budget.use().windowBytes()).isGreaterThan(without.windowBytes() + 20 * TASK_BYTES);
        assertThat(budget.use().dirtyBytes()).isGreaterThanOrEqualTo(without.dirtyBytes() + 5 * TASK_BYTES);
        assertThat(budget.use().queues()).isEqualTo(without.queues() + 1);

        released.share.release();
        assertThat(budget.use()).isEqualTo(without);
        released.share.settle(released.state);
        released.share.evicted(released.state);
        assertThat(budget.use()).isEqualTo(without);
        staying.share.release();
        assertThat(budget.use()).isEqualTo(nothing);
    }

    @Test
    void whatIsInUseIsWhatAllOfThemHave() {
        var random = new SplittableRandom(1);
        List<Holder> holders =
                Stream.generate(() -> new Holder(random.nextInt(5))).limit(3).collect(toCollection(ArrayList::new));
        for (int step = 0; step < 300; step++) {
            int index = random.nextInt(holders.size());
            Holder holder = holders.get(index);
            switch (random.nextInt(10)) {
                case 0 -> {
                    holder.share.release();
                    holders.set(index, new Holder(1 + random.nextInt(5)));
                }
                case 1 -> holder.flush();
                case 2 -> {
                    holder.flush();
                    holder.giveUp(Long.MAX_VALUE);
                    assertSum(holders);
                    // Before the next enqueue it would have to read what it evicted.
                    holder.share.release();
                    holders.set(index, new Holder(1));
                }
                case 3, 4, 5 -> holder.enqueueOnce("request " + step);
                default -> holder.dirtyUntil(budget.use().dirtyBytes() + 1);
            }
            assertSum(holders);
        }
    }

    private void assertSum(List<Holder> holders) {
        assertThat(budget.use())
                .isEqualTo(new MemoryBudget.Amounts(
                        sum(holders, PartitionState::residentBytes),
                        sum(holders, PartitionState::dirtyBytes),
                        sum(holders, state -> state.requests().bytes()),
                        sum(holders, state -> state.queues().named()),
                        sum(holders, state -> state.queues().bytes())));
    }

    private static long sum(List<Holder> holders, ToLongFunction<PartitionState> figure) {
        return holders.stream()
                .mapToLong(holder -> figure.applyAsLong(holder.state))
                .sum();
    }

    @Test
    void nobodyIsAskedForWhatIsNotFlushedYet() {
        Holder dirty = new Holder(0);
        dirty.dirtyUntil((1 << 20) + TASK_BYTES);
        assertThat(asked).isEmpty();

        dirty.flush();
        assertThat(asked).containsExactly(dirty);
        assertThat(dirty.wanted).isBetween(1L, (1L << 20) / 8);
    }

    @Test
    void ofThoseFromWhichNobodyEverLeasedTheOneAtWorkIsAskedLast() {
        Holder working = new Holder(300);
        Holder idle = new Holder(300);
        while (asked.isEmpty()) {
            working.enqueueOnce("request " + working.enqueued);
        }
        assertThat(asked.getFirst()).isSameAs(idle);
    }

    @Test
    void whoGaveUpHalfOfItIsAskedAgainAtOnce() {
        Holder holder = new Holder(1_200);
        asked.clear();
        holder.giveUp(holder.wanted * 3 / 4);
        assertThat(asked).containsExactly(holder);

        asked.clear();
        holder.giveUp(0);
        holder.share.settle(holder.state);
        assertThat(asked).as("before its next round").isEmpty();
    }

    @Test
    void theLastEighthOfTheWindowsIsNotForWhatIsMerelyGoodToHave() {
        Holder holder = new Holder(10);
        Holder last = holder;
        while (budget.windowsInUse() <= (1 << 20) * 7 / 8) {
            assertThat(holder.share.isTight()).isFalse();
            last = new Holder(10);
        }
        assertThat(holder.share.isTight()).isTrue();
        last.share.release();
        assertThat(holder.share.isTight()).isFalse();

        while (budget.windowsInUse() <= (1 << 20) * 31 / 32) {
            last = new Holder(10);
        }
        assertThat(asked).as("while it fits").isEmpty();
    }

    @Test
    void queuesMayHaveSoManyBytesAsThatManyOfOrdinaryNamesHave() {
        assertThat(budget.limits().queueBytes()).isBetween(MAX_QUEUES * 512, MAX_QUEUES * 1024);
        assertThat(new MemoryBudget(0, 0, 0, Long.MAX_VALUE).limits().queueBytes())
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void requestsAreRememberedUpToTheirLimit() {
        Holder holder = new Holder(1);
        Holder other = new Holder(1);
        while (budget.use().dedupBytes() <= budget.limits().dedupBytes()) {
            assertThat(other.share.isDedupFull()).isFalse();
            holder.enqueueOnce("%1000d".formatted(holder.enqueued));
        }
        assertThat(other.share.isDedupFull()).isTrue();
        assertThat(other.share.dedupFull().code()).isEqualTo(ErrorCode.DEDUP_FULL);
        holder.share.release();
        assertThat(other.share.isDedupFull()).isFalse();
    }

    @Test
    void bulkWorkLeavesAQuarterOfTheDirtyMemoryToInteractiveWork() {
        Holder holder = new Holder(0);
        holder.dirtyUntil(DIRTY_BYTES * 7 / 10);
        assertThat(holder.share.isDirtyFull(true)).isFalse();
        holder.dirtyUntil(DIRTY_BYTES * 8 / 10);
        assertThat(holder.share.isDirtyFull(true)).isTrue();
        assertThat(holder.share.isDirtyFull(false)).isFalse();
    }

    @Test
    void namesThatAreTooLongForAllQueuesTakeTheRoomOfOthers() {
        Holder holder = new Holder(1);
        long bytes = budget.limits().queueBytes() - budget.use().queueBytes();
        assertThat(holder.share.reserveQueues(new Queues.Room(1, bytes + 1))).isFalse();
        assertThat(holder.share.reserveQueues(new Queues.Room(1, bytes))).isTrue();
        assertThat(holder.share.reserveQueues(new Queues.Room(1, 1))).isFalse();
        assertThat(budget.use().queues()).as("refused queues are not counted").isEqualTo(2);
        assertThat(holder.share.tooManyQueues().code()).isEqualTo(ErrorCode.TOO_MANY_QUEUES);
    }

    @Test
    void queuesAreCountedAsTheyComeAndAsTheyAre() {
        Holder one = new Holder(1);
        Holder other = new Holder(1);
        assertThat(one.share.reserveQueues(demand(99))).as("each has one").isFalse();
        assertThat(one.share.reserveQueues(demand(98))).isTrue();
        assertThat(other.share.reserveQueues(demand(1))).isFalse();
        assertThat(other.share.reserveQueues(demand(0))).isTrue();

        one.share.settle(one.state);
        assertThat(other.share.reserveQueues(demand(98)))
                .as("they did not come into being")
                .isTrue();
        one.share.release();
        assertThat(other.share.reserveQueues(demand(2))).isFalse();
        assertThat(other.share.reserveQueues(demand(1))).isTrue();
    }

    /**
     * Verifies (paper, figure 6 b) that a queue that is leased from is not read again more often because others are
     * filled.
     */
    @Test
    void partitionsThatAreLeasedFromGiveUpAfterThoseThatAreOnlyFilled() {
        Holder lone = new Holder(300);
        Holder filled = new Holder(300);
        lone.leaseOne();
        for (int i = 0; i < 10; i++) {
            filled.share.settle(filled.state);
        }
        Holder busy = new Holder(600);
        busy.share.settle(busy.state);
        while (!asked.isEmpty()) {
            asked.removeFirst().evict();
        }

        assertThat(filled.evicted).isPositive();
        assertThat(lone.evicted).isZero();
        assertThat(budget.windowsInUse()).isLessThan(1 << 20);
    }

    /** Verifies (paper, figure 6 b) the same however much is enqueued into other queues and waits for a flush round. */
    @Test
    void whatIsDirtyLeavesHalfOfTheWindowsToWhatIsNot() {
        Holder lone = new Holder(200);
        Holder loaded = new Holder(0);
        loaded.dirtyUntil(1 << 20);
        assertThat(budget.windowsInUse()).isGreaterThan(1 << 20);
        assertThat(asked).isEmpty();
        assertThat(lone.share.isTight()).isFalse();

        lone.dirtyUntil(budget.use().dirtyBytes() + 300 * TASK_BYTES);
        lone.flush();
        assertThat(lone.share.isTight()).isTrue();
        assertThat(asked).containsExactly(lone);
    }

    @Test
    void theLastOfTheDirtyMemoryIsForPartitionsThatHaveLittleOfIt() {
        Holder loaded = new Holder(0);
        Holder lone = new Holder(0);
        lone.dirtyUntil(1);
        loaded.dirtyUntil(DIRTY_BYTES * 15 / 16);

        assertThat(loaded.share.isDirtyFull(false)).isTrue();
        assertThat(lone.share.isDirtyFull(false)).isFalse();
        assertThat(lone.share.isDirtyFull(true)).as("bulk leaves a quarter").isTrue();

        lone.dirtyUntil(DIRTY_BYTES + 1);
        assertThat(lone.share.isDirtyFull(false)).as("there is no more").isTrue();
    }

    @Test
    void aPartitionAloneMayHaveAllOfTheDirtyMemory() {
        Holder released = new Holder(0);
        released.dirtyUntil(1);
        released.share.release();
        Holder alone = new Holder(0);
        alone.dirtyUntil(DIRTY_BYTES * 15 / 16);

        assertThat(alone.share.isDirtyFull(false)).isFalse();
    }

    /** A partition with clean tasks in its window. */
    private final class Holder {

        private final PartitionState state = new PartitionState(new EngineSettings(1, 0, 120_000));
        private final EngineState engine = EngineState.of(state);
        private final MemoryBudget.Share share;
        private long wanted;
        private long evicted;
        private boolean pinned;
        private int enqueued;

        Holder(int tasks) {
            state.recovered();
            state.hints().loaded(new TimeHint(0, QueueKey.of("", ""), 0, Pid.EMPTY, 0), List.of(), null);
            enqueue(tasks);
            writeRound();
            share = budget.share(bytes -> {
                wanted = bytes;
                asked.add(this);
            });
            share.settle(state);
        }

        private void writeRound() {
            FlushRound round = state.takeRound();
            state.tasksFlushed(round.tasks(), 0);
            state.recordsFlushed(round.records());
            state.roundCompleted();
        }

        void flush() {
            writeRound();
            share.unblockEviction();
            share.settle(state);
        }

        void giveUp(long bytes) {
            state.evict(bytes);
            share.evicted(state);
        }

        /** Adds dirty tasks until all partitions together have this many dirty bytes. */
        void dirtyUntil(long bytes) {
            while (budget.use().dirtyBytes() < bytes) {
                enqueue(1);
                share.settle(state);
            }
        }

        void leaseOne() {
            Command.Selector selector = Command.Selector.of(QueueKey.of("", "q"));
            state.advance(0);
            Decision decision = Engine.decide(
                    engine, new Command.Lease(selector, 1, 1, 60_000, Optional.empty(), 0, 0, "worker", "address"), 0);
            state.apply(Objects.requireNonNull(((Decision.Done) decision).atom()), 0);
            share.settle(state);
        }

        private void enqueue(int tasks) {
            if (tasks > 0) {
                enqueue(tasks, Optional.empty());
            }
        }

        /** Adds a task by a request whose id is remembered. */
        void enqueueOnce(String requestId) {
            enqueue(1, Optional.of(Bytes.of(requestId)));
            share.settle(state);
        }

        private void enqueue(int tasks, Optional<Bytes> requestId) {
            List<Command.Enqueue> enqueues = IntStream.range(0, tasks)
                    .mapToObj(_ -> new Command.Enqueue(
                            QueueKey.of("", "q").name(),
                            Optional.of(Pid.of("%06d".formatted(enqueued++))),
                            new Command.Payload(Bytes.wrap(new byte[TASK_BYTES]), Map.of()),
                            Command.IfExists.COLLAPSE,
                            0))
                    .toList();
            Decision decision = Engine.decide(
                    engine,
                    new Command.Update(
                            QueueKey.of("", "q").group(), enqueues, List.of(), List.of(), List.of(), requestId),
                    0);
            state.apply(Objects.requireNonNull(((Decision.Done) decision).atom()), 0);
        }

        void evict() {
            long before = state.residentBytes();
            if (!pinned) {
                state.evict(wanted);
            }
            evicted += before - state.residentBytes();
            share.evicted(state);
        }
    }

    private static Queues.Room demand(int queues) {
        return new Queues.Room(queues, queues * MemoryBudget.QUEUE_BYTES);
    }
}
