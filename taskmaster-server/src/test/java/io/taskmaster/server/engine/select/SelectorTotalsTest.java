package io.taskmaster.server.engine.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command.Describe;
import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Described;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.state.QueueState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of the totals of many queues, which are counted while queues come, go, and change. */
final class SelectorTotalsTest extends NamedQueues {

    @Test
    void aSumIsOfTheQueuesThatAreThereThoughItsSelectorWasForgotten() {
        for (int i = 0; i < MANY; i++) {
            put(key(i), 1);
        }
        flush();
        SelectorCache selectorCache = engine.selectors();
        Selector selector = pattern("q.*");
        PatternMatchJob patternMatchJob = selectorCache.beginMatching(selector);
        while (continueMatching(patternMatchJob)) {
            assertThat(selectorCache.totals(selector)).isNull();
        }
        selectorCache.endMatching(selector);
        assertThat(selectorCache.continueTotals(selector, nowMillis)).isFalse();
        useOtherSelectors();
        int slot = queueOf(key(MANY - 1)).slot();
        delete(key(MANY - 1));
        flush();
        put(QueueKey.of("g", "other"), 3);
        assertThat(queueOf(QueueKey.of("g", "other")).slot()).isEqualTo(slot);
        assertThat(selectorCache.continueTotals(selector, nowMillis)).isFalse();
        assertThat(selectorCache.continueTotals(selector, nowMillis)).isTrue();
        assertThat(selectorCache.continueTotals(selector, nowMillis))
                .as("and stays so")
                .isTrue();
        assertThat(Objects.requireNonNull(selectorCache.totals(selector))
                        .selectionTotals()
                        .queues())
                .isEqualTo(MANY - 1);
    }

    @Test
    void aNewQueueWhoseNameIsTooMuchWorkNowIsCountedLater() {
        for (int i = 0; i < MANY; i++) {
            put(key(i), 1);
        }
        flush();
        SelectorCache selectorCache = engine.selectors();
        Selector selector = pattern("q.*[0-9]|other[0-9]?");
        matchAll(selector);
        assertThat(selectorCache.continueTotals(selector, nowMillis)).isFalse();
        int slot = queueOf(key(0)).slot();
        delete(key(0));
        flush();
        selectorCache.spend(SelectorCache.INLINE_STEPS);
        long made = selectorCache.stepsMade();
        put(QueueKey.of("g", "other"), 3);
        put(QueueKey.of("g", "other"), 5);
        assertThat(queueOf(QueueKey.of("g", "other")).slot())
                .as("one that is counted already")
                .isEqualTo(slot);
        assertThat(selectorCache.stepsMade()).isEqualTo(made);

        selectorCache.beginTick();
        boolean done = false;
        while (!done) {
            done = selectorCache.continueTotals(selector, nowMillis);
        }
        TotalsScan totalsScan = Objects.requireNonNull(selectorCache.totals(selector));
        assertThat(totalsScan.selectionTotals().queues()).isEqualTo(MANY);
        assertThat(totalsScan
                        .selectionTotals()
                        .toDescription(nowMillis)
                        .summary()
                        .available())
                .isEqualTo(MANY - 1 + 5);
    }

    @Test
    void totalsOfManyQueuesAreCountedInSlicesAndAreThoseOfTheLastInstant() {
        for (int i = 0; i < MANY; i++) {
            put(key(i), 1);
        }
        Random random = new Random(12);
        List<Selector> selectors = List.of(
                pattern("q.*[0-4]"),
                pattern(".*"),
                new Selector(Optional.empty(), List.of(), Optional.empty()),
                new Selector(Optional.of(GroupName.of("g")), List.of(), Optional.empty()));
        for (int round = 0; round < Math.min(100, 3 * EFFORT); round++) {
            Selector selector = selectors.get(random.nextInt(selectors.size()));
            Describe describe = new Describe(selector, 0, 1 + random.nextInt(3));
            Set<Decision.Need> met = new HashSet<>();
            Decision decision = decide(describe, false);
            while (decision instanceof Decision.Waits waits) {
                changeSomething(random);
                meet(waits.needs().getFirst(), met);
                decision = decide(describe, false);
            }
            assertThat(met).contains(new Decision.Counted(selector));
            assertIsFullCount(describe, (Described) ((Decision.Done) decision).reply());
            engine.selectors().endTotals(selector);
        }
    }

    /** Does a slice of the work that a decision waits for. */
    private void meet(Decision.Need need, Set<Decision.Need> met) {
        SelectorCache selectorCache = engine.selectors();
        switch (need) {
            case Decision.Chosen chosen -> matchAll(chosen.selector());
            case Decision.Counted counted -> selectorCache.continueTotals(counted.selector(), nowMillis);
            default -> throw new AssertionError("not to be waited for: " + need);
        }
        met.add(need);
    }

    /**
     * Changes something at random: tasks come and are leased, time passes, queues come and go, and leave their slots to
     * others.
     */
    private void changeSomething(Random random) {
        for (int i = 0; i < 50; i++) {
            put(key(random.nextInt(MANY + 500)), 1 + random.nextInt(3));
            delete(key(random.nextInt(MANY)));
        }
        Selector all = new Selector(Optional.empty(), List.of(), Optional.empty());
        Lease lease = new Lease(all, 20, 1 << 20, 30_000, Optional.empty(), 0, 0, "w", "here");
        // A lease that would have to read is skipped: nothing is stored here.
        if (decide(lease, false) instanceof Decision.Done done) {
            leased(lease, done);
        }
        nowMillis += random.nextInt(10_000);
        if (random.nextInt(4) == 0) {
            flush();
        }
    }

    private void assertIsFullCount(Describe describe, Described described) {
        long available = 0;
        long leased = 0;
        List<QueueKey> chosen = new ArrayList<>();
        for (QueueState known : state.queues().all()) {
            if (known.isShown() && describe.selector().chooses(known.key())) {
                available += known.availableNow();
                leased += known.leasedNow();
                chosen.add(known.key());
            }
        }
        assertThat(described.total().summary())
                .isEqualTo(new Reply.Summary(described.total().summary().queue(), available, leased, 0));
        assertThat(described.matched()).isEqualTo(chosen.size());
        assertThat(described.queues())
                .extracting(queue -> queue.summary().queue())
                .isEqualTo(chosen.subList(0, describe.maxQueues()));
    }
}
