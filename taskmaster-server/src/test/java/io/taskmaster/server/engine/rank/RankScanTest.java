package io.taskmaster.server.engine.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Describe;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.RankOrder;
import io.taskmaster.command.Ranking.Page;
import io.taskmaster.command.Ranking.Place;
import io.taskmaster.command.Ranking.Question;
import io.taskmaster.command.Ranking.Row;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Described;
import io.taskmaster.command.Reply.Description;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.state.SmallPartition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Tests of pages of queues in order, against all of them, described and sorted. */
final class RankScanTest {

    private static final int SEEDS = 60;
    private static final int NAMES = 40;
    private static final int ALL = 1_000;
    private static final List<RankOrder> ORDERS = List.of(RankOrder.values());
    private static final List<Selector> SELECTORS = List.of(
            new Selector(Optional.empty(), List.of(), Optional.empty()),
            new Selector(Optional.of(GroupName.of("g1")), List.of(), Optional.empty()),
            new Selector(Optional.of(GroupName.of("nobody")), List.of(), Optional.empty()),
            new Selector(Optional.empty(), List.of(), Optional.of(NamePattern.compile("q[0-3]."))),
            new Selector(
                    Optional.of(GroupName.of("g0")),
                    List.of(QueueName.of("q39")),
                    Optional.of(NamePattern.compile("q1."))),
            new Selector(
                    Optional.of(GroupName.of("g1")),
                    List.of(QueueName.of("q07"), QueueName.of("q31"), QueueName.of("none")),
                    Optional.empty()));

    private final SmallPartition partition = new SmallPartition();

    @Test
    void pagesTogetherAreAllThatMatchInOrder() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            SmallPartition partition = populated(random);
            for (RankOrder order : ORDERS) {
                Selector selector = SELECTORS.get(random.nextInt(SELECTORS.size()));
                boolean descending = random.nextBoolean();
                Described all = (Described) ((Decision.Done) partition.decide(new Describe(selector, 0, ALL))).reply();
                Question first = new Question(selector, order, descending, 1 + random.nextInt(NAMES), Optional.empty());

                List<Description> paged = pages(partition, first, all, random);

                assertThat(paged)
                        .as("seed %d, %s", seed, first)
                        .extracting(one -> one.summary().queue())
                        .containsExactlyElementsOf(sorted(all.queues(), order, descending));
            }
        }
    }

    /** Returns all pages, one after the other, with time between them. */
    private static List<Description> pages(SmallPartition partition, Question first, Described all, Random random) {
        List<Description> rows = new ArrayList<>();
        Question question = first;
        while (true) {
            Page page = page(partition, question);
            assertThat(page.matched()).isEqualTo(all.matched());
            assertThat(page.total().summary()).isEqualTo(all.total().summary());
            assertThat(page.remaining()).isEqualTo(all.matched() - rows.size());
            assertThat(page.rows()).hasSize((int) Math.min(first.maxQueues(), page.remaining()));
            page.rows().forEach(row -> rows.add(row.queue()));
            if (page.remaining() <= page.rows().size()) {
                return rows;
            }
            question = behind(first, page);
            partition.nowMillis += random.nextInt(200);
        }
    }

    /** Returns the queues sorted by the values of their descriptions. */
    private static List<QueueKey> sorted(List<Description> all, RankOrder order, boolean descending) {
        Comparator<Description> byName =
                Comparator.comparing(queue -> queue.summary().queue());
        Comparator<Description> byOrder = order == RankOrder.NAME ? byName : Comparator.comparingDouble(valueOf(order));
        return all.stream()
                .sorted((descending ? byOrder.reversed() : byOrder).thenComparing(byName))
                .map(queue -> queue.summary().queue())
                .toList();
    }

    private static ToDoubleFunction<Description> valueOf(RankOrder order) {
        return switch (order) {
            case NAME -> _ -> 0;
            case AVAILABLE -> queue -> (double) queue.summary().available();
            case LEASED -> queue -> (double) queue.summary().leased();
            case DELAYED -> queue -> (double) queue.summary().delayed();
            case TASKS -> queue -> (double) queue.summary().total();
            case OLDEST -> queue -> (double) queue.oldestAvailableAgeMillis().orElse(-1L);
            // Rounded: values that are equal in one way of counting may differ in the other.
            case ENQUEUE_RATE -> queue -> Math.rint(queue.enqueueRate() * 1e9);
            case LEASE_RATE -> queue -> Math.rint(queue.leaseRate() * 1e9);
            case DEQUEUE_RATE -> queue -> Math.rint(queue.dequeueRate() * 1e9);
            case EXPIRED_LEASES -> queue -> (double) queue.counts().expired();
        };
    }

    @Test
    void whatDoesNotChangeIsOnOnePageWhateverHappensToOthers() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            SmallPartition partition = populated(random);
            RankOrder order = ORDERS.get(random.nextInt(ORDERS.size()));
            Question question = new Question(SELECTORS.getFirst(), order, random.nextBoolean(), 7, Optional.empty());
            Set<QueueKey> untouched = new HashSet<>();
            for (Row row : page(partition, all(order)).rows()) {
                // Leases may expire meanwhile.
                if (row.queue().summary().leased() == 0) {
                    untouched.add(row.place().queue());
                }
            }
            List<QueueKey> shown = new ArrayList<>();
            Page page = page(partition, question);
            while (!page.rows().isEmpty()) {
                shown.addAll(keys(page));
                for (int i = 0; i < 3; i++) {
                    untouched.remove(change(partition, random));
                }
                partition.nowMillis += random.nextInt(3_000);
                page = page(partition, behind(question, page));
            }
            assertThat(shown.stream().filter(untouched::contains))
                    .as("seed %d, %s", seed, question)
                    .containsExactlyInAnyOrderElementsOf(untouched);
        }
    }

    @Test
    void aWalkOverManyQueuesIsSlicedAndSeesEachThatStaysOnce() {
        int queues = 3 * QueueScan.SLICE_STEPS;
        for (int i = 0; i < queues; i++) {
            partition.enqueue(QueueKey.of("g", name(i)), "a");
        }
        RankScan ranking = new RankScan(
                new Question(SELECTORS.getFirst(), RankOrder.NAME, false, queues, Optional.empty()),
                partition.nowMillis);

        assertThat(ranking.scanSlice(partition.engine)).isFalse();
        // Queues that the walk has visited, and that come back in other slots.
        for (int i = 0; i < 100; i++) {
            partition.dequeue(QueueKey.of("g", name(i)), "a");
        }
        partition.flush();
        for (int i = 99; i >= 0; i--) {
            partition.enqueue(QueueKey.of("g", name(i)), "a");
        }
        int slices = 1;
        while (!ranking.scanSlice(partition.engine)) {
            slices++;
        }

        assertThat(slices).isBetween(3, 4);
        assertThat(keys(ranking.found())).hasSize(queues).isSorted().doesNotHaveDuplicates();
        assertThat(ranking.found().total().summary().available()).isEqualTo(queues);
    }

    @Test
    void aSliceWithManyTasksToLookAtIsShorter() {
        for (int queue = 0; queue < 100; queue++) {
            String[] pids = new String[400];
            for (int i = 0; i < pids.length; i++) {
                pids[i] = "%04d".formatted(i);
            }
            partition.enqueue(QueueKey.of("g", name(queue)), pids);
        }
        Question oldest = new Question(SELECTORS.getFirst(), RankOrder.OLDEST, true, 5, Optional.empty());
        RankScan first = new RankScan(oldest, partition.nowMillis);
        RankScan second = new RankScan(oldest, partition.nowMillis);

        assertThat(first.scanSlice(partition.engine)).isFalse();
        while (!first.scanSlice(partition.engine)) {}
        assertThat(second.scanSlice(partition.engine)).as("all ages are known").isTrue();
    }

    @Test
    void thoseThatTheCallerNamesAreRankedWithoutLookingAtOthers() {
        partition.enqueue(QueueKey.of("g", "a"), "1");
        partition.enqueue(QueueKey.of("g", "b"), "1", "2");
        Selector named = new Selector(
                Optional.of(GroupName.of("g")), List.of(QueueName.of("a"), QueueName.of("b")), Optional.empty());

        Page page = page(partition, new Question(named, RankOrder.AVAILABLE, true, 1, Optional.empty()));

        assertThat(keys(page)).containsExactly(QueueKey.of("g", "b"));
        assertThat(page.remaining()).isEqualTo(2);
    }

    @Test
    void ratesStandInTheSameOrderHoweverMuchTimeGoesBy() {
        partition.enqueue(QueueKey.of("early"), "1", "2", "3");
        partition.nowMillis += 60_000;
        partition.enqueue(QueueKey.of("late"), "1", "2");
        Question question = new Question(SELECTORS.getFirst(), RankOrder.ENQUEUE_RATE, true, 9, Optional.empty());
        Page now = page(partition, question);
        partition.nowMillis += 3_600_000;
        Page later = page(partition, question);

        assertThat(keys(now)).containsExactly(QueueKey.of("late"), QueueKey.of("early"));
        assertThat(now.rows().getFirst().queue().enqueueRate()).isCloseTo(2 / 60.0, within(1e-9));
        assertThat(later.rows()).extracting(Row::place).isEqualTo(places(now));
    }

    @Test
    void whereNothingEverHappenedComesBehindWhereItHasFadedToNothing() {
        partition.enqueue(QueueKey.of("idle"), "1");
        partition.enqueue(QueueKey.of("once"), "1", "2");
        partition.lease(QueueKey.of("once"), 1);
        partition.nowMillis += 86_400_000;
        Question question = new Question(SELECTORS.getFirst(), RankOrder.LEASE_RATE, true, 9, Optional.empty());

        assertThat(keys(page(partition, question))).containsExactly(QueueKey.of("once"), QueueKey.of("idle"));
    }

    // ---------------------------------------------------------------- helpers

    private static SmallPartition populated(Random random) {
        SmallPartition partition = new SmallPartition();
        for (int i = 0; i < 150; i++) {
            change(partition, random);
            partition.nowMillis += random.nextInt(2_000);
        }
        // All instants are counted before the first walk.
        partition.decide(new Describe(SELECTORS.getFirst(), 0, 1));
        return partition;
    }

    /** Changes a queue, and returns it. */
    private static QueueKey change(SmallPartition partition, Random random) {
        QueueKey queue = QueueKey.of("g" + random.nextInt(2), "q%02d".formatted(random.nextInt(NAMES)));
        switch (random.nextInt(5)) {
            case 0, 1 -> partition.enqueue(queue, "a", "b" + random.nextInt(5));
            // Its time does not come within a test.
            case 2 -> partition.enqueue(queue, SmallPartition.DATA, Long.MAX_VALUE / 2, "d");
            case 3 -> partition.lease(queue, 2);
            default -> partition.dequeue(queue, "a");
        }
        return queue;
    }

    private static Question all(RankOrder order) {
        return new Question(SELECTORS.getFirst(), order, false, ALL, Optional.empty());
    }

    @Test
    void aPausedQueueWithoutTasksIsAmongThem() {
        SmallPartition partition = new SmallPartition();
        partition.enqueue(QueueKey.of("g", "b"), "p");
        partition.answer(
                Reply.Configured.class, new Command.Configure(QueueKey.of("g", "a"), new QueueOptions(true, 0, 1)));
        Selector all = new Selector(Optional.empty(), List.of(), Optional.empty());
        Page page = page(partition, new Question(all, RankOrder.NAME, false, 9, Optional.empty()));
        assertThat(keys(page)).containsExactly(QueueKey.of("g", "a"), QueueKey.of("g", "b"));
        assertThat(page.matched()).isEqualTo(2);
    }

    private static Question behind(Question question, Page page) {
        Place last = page.rows().getLast().place();
        return new Question(
                question.selector(), question.order(), question.descending(), question.maxQueues(), Optional.of(last));
    }

    private static Page page(SmallPartition partition, Question question) {
        RankScan ranking = new RankScan(question, partition.nowMillis);
        while (!ranking.scanSlice(partition.engine)) {}
        return ranking.found();
    }

    private static List<QueueKey> keys(Page page) {
        return page.rows().stream().map(row -> row.place().queue()).toList();
    }

    private static List<Place> places(Page page) {
        return page.rows().stream().map(Row::place).toList();
    }

    private static String name(int number) {
        return "q%05d".formatted(number);
    }
}
