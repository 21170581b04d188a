package io.taskmaster.server.engine.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Description;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.index.ActivityIndex.Question;
import io.taskmaster.server.engine.rank.BusiestQueues.Found;
import io.taskmaster.server.engine.state.EngineSettings;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.SmallPartition;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of the walk for the busiest queues. */
final class BusiestQueuesTest {

    private static final Optional<Selector> NO_SELECTOR = Optional.empty();

    private final SmallPartition partition = new SmallPartition();

    @Test
    void thoseWithMostDeedsAreFoundWhereverTheyAre() {
        for (int seed = 0; seed < 30; seed++) {
            Random random = new Random(seed);
            SmallPartition partition = new SmallPartition();
            Map<QueueKey, Integer> operations = new HashMap<>();
            for (int i = 0; i < 300; i++) {
                QueueKey queue = QueueKey.of("q%02d".formatted(random.nextInt(60)));
                partition.enqueue(queue, "p" + i);
                operations.merge(queue, 1, Integer::sum);
            }
            List<Integer> busiest = operations.values().stream()
                    .sorted(Comparator.reverseOrder())
                    .limit(10)
                    .toList();

            Found found = found(partition, new Question(10, NO_SELECTOR), Set.of());

            assertThat(found.queues()).as("seed %d", seed).hasSize(10);
            assertThat(found.queues().stream()
                            .map(queue -> operations.get(queue.summary().queue()))
                            .sorted(Comparator.reverseOrder()))
                    .containsExactlyElementsOf(busiest);
        }
    }

    /**
     * The same question, repeated, looks only at queues in which something has happened since. The answer is as if it
     * had looked at all.
     */
    @Test
    void lookingAtWhatHappenedSinceFindsWhatLookingAtAllOfThemFinds() {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            SmallPartition partition = new SmallPartition(EngineSettings.DEFAULTS);
            int max = 1 + random.nextInt(12);
            boolean prefers = random.nextBoolean();
            Question question = new Question(max, prefers ? matching(".*[37]") : NO_SELECTOR);
            Question sameInOtherWords = new Question(max, matching(prefers ? "(?:.*)[37]" : "nobody"));
            for (int round = 0; round < 25; round++) {
                for (int i = random.nextInt(60); i > 0; i--) {
                    happen(partition, random);
                }
                Found found = found(partition, question, Set.of());
                String where = "seed %d, look %d".formatted(seed, round);
                assertThat(found.oldestMillis()).as(where).isEqualTo(agesOfAll(partition));
                if (random.nextInt(3) == 0) {
                    Found again = found(partition, sameInOtherWords, Set.of());
                    assertThat(found.queues()).as(where).isEqualTo(again.queues());
                    assertThat(again.oldestMillis()).as(where).isEqualTo(agesOfAll(partition));
                    assertThat(found(partition, question, Set.of()).queues())
                            .as(where)
                            .isEqualTo(again.queues());
                }
            }
        }
    }

    private static Optional<Selector> matching(String pattern) {
        return Optional.of(new Selector(Optional.empty(), List.of(), Optional.of(NamePattern.compile(pattern))));
    }

    private static void happen(SmallPartition partition, Random random) {
        QueueKey queue =
                QueueKey.of("%s%02d".formatted(random.nextBoolean() ? "fetch/" : "parse/", random.nextInt(30)));
        String pid = "p" + random.nextInt(4);
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> ifDecided(partition, update(queue, List.of(enqueue(queue, pid, 0)), List.of()));
            case 3 ->
                ifDecided(
                        partition,
                        update(
                                queue,
                                List.of(enqueue(queue, pid, partition.nowMillis + random.nextInt(5_000))),
                                List.of()));
            case 4 -> ifDecided(partition, SmallPartition.leaseOf(Selector.of(queue), 1 + random.nextInt(2), 1 << 20));
            case 5 ->
                ifDecided(
                        partition,
                        update(queue, List.of(), List.of(new Command.Dequeue(queue.name(), Pid.of(pid), 0))));
            case 6 -> partition.flush();
            default -> {
                partition.nowMillis += random.nextInt(10_000);
                partition.state.advance(partition.nowMillis);
            }
        }
    }

    private static Command.Enqueue enqueue(QueueKey queue, String pid, long notBeforeMillis) {
        return new Command.Enqueue(
                queue.name(), Optional.of(Pid.of(pid)), SmallPartition.DATA, Command.IfExists.REPLACE, notBeforeMillis);
    }

    private static Command update(QueueKey queue, List<Command.Enqueue> enqueues, List<Command.Dequeue> dequeues) {
        return new Command.Update(queue.group(), enqueues, dequeues, List.of(), List.of());
    }

    /** Applies a command if it is decided. Nothing is read from the store here, so some commands would wait forever. */
    private static void ifDecided(SmallPartition partition, Command command) {
        if (partition.decide(command) instanceof Decision.Done done) {
            partition.answer(Reply.class, command, done);
        }
    }

    private static Map<FamilyName, Long> agesOfAll(SmallPartition partition) {
        Map<FamilyName, Long> ages = new HashMap<>();
        for (QueueState queue : partition.state.queues().all()) {
            if (queue.oldestReadyMillis() != Long.MAX_VALUE) {
                ages.merge(
                        queue.family().name(), Math.max(0, partition.nowMillis - queue.oldestReadyMillis()), Math::max);
            }
        }
        return ages;
    }

    @Test
    void aLookIsAtThoseQueuesOnlyInWhichSomethingHappened() {
        for (int i = 0; i < 10 * QueueScan.SLICE_STEPS; i++) {
            partition.enqueue(QueueKey.of("g", "q%05d".formatted(i)), "a");
        }
        Question question = new Question(3, NO_SELECTOR);
        found(partition, question, Set.of());
        partition.enqueue(QueueKey.of("g", "q17171"), "b");
        assertThat(partition.engine.activity().nextMarked(0))
                .isEqualTo(partition.queue(QueueKey.of("g", "q17171")).slot());

        BusiestQueues scan = new BusiestQueues(question, Set.of(), partition.nowMillis);

        assertThat(scan.scanSlice(partition.engine)).as("one slice").isTrue();
        assertThat(names(scan.found())).contains(QueueKey.of("g", "q17171")).hasSize(3);
        assertThat(partition.engine.activity().nextMarked(0)).isNegative();
    }

    @Test
    void allOfThemAreFoundWhereThereIsRoom() {
        partition.enqueue(QueueKey.of("a"), "1", "2");
        partition.enqueue(QueueKey.of("g", "b"), "1");
        Found found = found(partition, new Question(2, NO_SELECTOR), Set.of());

        assertThat(names(found)).containsExactlyInAnyOrder(QueueKey.of("a"), QueueKey.of("g", "b"));
        assertThat(named(found, QueueKey.of("a")).enqueueRate()).isCloseTo(2 / 60.0, within(1e-9));
    }

    @Test
    void whoIsAskedForByNameIsFoundHoweverLittleGoesOn() {
        partition.enqueue(QueueKey.of("idle"), "1");
        partition.nowMillis += 3_600_000;
        for (int i = 0; i < 5; i++) {
            partition.enqueue(QueueKey.of("busy" + i), "1", "2", "3");
        }
        Found found = found(
                partition,
                new Question(2, NO_SELECTOR),
                Set.of(QueueKey.of("idle"), QueueKey.of("none"), QueueKey.of("busy0")));

        assertThat(names(found))
                .contains(QueueKey.of("idle"), QueueKey.of("busy0"))
                .doesNotHaveDuplicates();
        assertThat(names(found)).doesNotContain(QueueKey.of("none")).hasSizeBetween(3, 4);
        assertThat(named(found, QueueKey.of("idle")).summary().available()).isEqualTo(1);
    }

    @Test
    void aQueueThatRunsEmptyAgainAndAgainIsSeenAsBusyAsItIs() {
        QueueKey queue = QueueKey.of("drained");
        for (int i = 0; i < 60; i++) {
            partition.enqueue(queue, "1", "2");
            partition.dequeue(queue, "1");
            partition.dequeue(queue, "2");
            partition.flush();
            assertThat(partition.state.queue(queue)).as("forgotten").isNull();
            partition.nowMillis += 1_000;
        }
        double expected = 2 * (1 - Math.exp(-1)) / (Math.exp(1 / 60.0) - 1) / 60;
        for (Set<QueueKey> asked : List.of(Set.<QueueKey>of(), Set.of(queue))) {
            Description found =
                    named(found(partition, new Question(asked.isEmpty() ? 1 : 0, NO_SELECTOR), asked), queue);
            assertThat(found.summary().total()).isZero();
            assertThat(found.enqueueRate()).isCloseTo(expected, withinPercentage(.001));
            assertThat(found.dequeueRate()).isCloseTo(expected, withinPercentage(.001));
        }
    }

    @Test
    void thoseThatArePreferredComeFirst() {
        for (int i = 0; i < 9; i++) {
            partition.enqueue(QueueKey.of("busy" + i), "1", "2", "3");
        }
        partition.enqueue(QueueKey.of("mine1"), "1");
        partition.enqueue(QueueKey.of("mine2"), "1");
        partition.enqueue(QueueKey.of("not mine3"), "1");
        Optional<Selector> preferred = matching("mine.*");

        assertThat(names(found(partition, new Question(3, preferred), Set.of())))
                .contains(QueueKey.of("mine1"), QueueKey.of("mine2"))
                .hasSize(3)
                .doesNotContain(QueueKey.of("not mine3"));
        assertThat(names(found(partition, new Question(1, preferred), Set.of())))
                .containsExactly(QueueKey.of("mine1"));
    }

    @Test
    void theOldestTaskOfEachFamilyIsKnown() {
        partition.enqueue(QueueKey.of("a"), "1");
        partition.nowMillis += 10_000;
        partition.enqueue(QueueKey.of("a"), "2");
        partition.enqueue(QueueKey.of("b"), "1");
        partition.enqueue(QueueKey.of("leased"), "1");
        partition.lease(QueueKey.of("leased"), 1);
        partition.nowMillis += 500;

        assertThat(found(partition, new Question(0, NO_SELECTOR), Set.of()).oldestMillis())
                .containsOnly(entry(family("a"), 10_500L), entry(family("b"), 500L));
    }

    @Test
    void aWalkOverManyQueuesIsSliced() {
        int queues = 3 * QueueScan.SLICE_STEPS;
        for (int i = 0; i < queues; i++) {
            partition.enqueue(QueueKey.of("g", "q%05d".formatted(i)), "a");
        }
        partition.enqueue(QueueKey.of("g", "q02999"), "b");
        BusiestQueues scan = new BusiestQueues(new Question(1, NO_SELECTOR), Set.of(), partition.nowMillis);
        int slices = 1;
        while (!scan.scanSlice(partition.engine)) {
            slices++;
        }

        assertThat(slices).isEqualTo(3);
        assertThat(names(scan.found())).containsExactly(QueueKey.of("g", "q02999"));
    }

    @Test
    void whatSeveralPartitionsFoundIsPutTogether() {
        partition.enqueue(QueueKey.of("a"), "1");
        Found one = found(partition, new Question(1, NO_SELECTOR), Set.of());
        partition.nowMillis += 1_000;
        SmallPartition other = new SmallPartition();
        other.enqueue(QueueKey.of("b"), "1");
        other.enqueue(QueueKey.of("c"), "1");
        Found sum = Found.sum(List.of(
                one,
                found(partition, new Question(0, NO_SELECTOR), Set.of()),
                found(other, new Question(1, NO_SELECTOR), Set.of())));

        assertThat(names(sum)).containsExactly(QueueKey.of("a"), QueueKey.of("b"));
        assertThat(sum.oldestMillis()).containsEntry(family("a"), 1_000L).containsEntry(family("c"), 0L);
    }

    // ---------------------------------------------------------------- helpers

    private static Found found(SmallPartition partition, Question question, Set<QueueKey> named) {
        BusiestQueues scan = new BusiestQueues(question, named, partition.nowMillis);
        while (!scan.scanSlice(partition.engine)) {}
        return scan.found();
    }

    private static List<QueueKey> names(Found found) {
        return found.queues().stream().map(queue -> queue.summary().queue()).toList();
    }

    private static Description named(Found found, QueueKey queue) {
        return found.queues().stream()
                .filter(one -> one.summary().queue().equals(queue))
                .findFirst()
                .orElseThrow();
    }

    private static FamilyName family(String name) {
        QueueKey queue = QueueKey.of(name);
        return new FamilyName(Optional.of(queue.group()), Bytes.of(name), false, Bytes.EMPTY);
    }
}
