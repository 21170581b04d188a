package io.taskmaster.server.engine.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Describe;
import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Command.ListQueues;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.FifoPid;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Described;
import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.engine.decide.Engine;
import io.taskmaster.server.engine.index.EngineState;
import io.taskmaster.server.engine.state.EngineSettings;
import io.taskmaster.server.engine.state.FlushRound;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.Queues;
import io.taskmaster.server.engine.state.StateFixture;
import io.taskmaster.server.engine.state.TimeHint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of selectors over many queues: what is known of them is kept while queues come, go, and change. */
final class SelectorCacheTest {

    private static final int MANY = 5_000;

    /** The number of random runs, as elsewhere: {@code -Dengine.seeds=N}. */
    private static final int EFFORT = Integer.getInteger("engine.seeds", 150);

    private static final Payload DATA = new Payload(Bytes.EMPTY, Map.of());

    private final PartitionState state = new PartitionState(new EngineSettings(1, 0, 120_000));
    private final EngineState engine = EngineState.of(state);
    private long nowMillis = 1_000;

    SelectorCacheTest() {
        state.recovered();
        state.hints().loaded(TimeHint.FIRST, List.of(), null);
    }

    @Test
    void manyNamesAreHeldAgainstAPatternInSlices() {
        for (int i = 0; i < MANY; i++) {
            put(key(i), 1);
        }
        Selector selector = pattern("q0*[0-9]");
        ListQueues list = new ListQueues(selector, 0, 0, 100, Optional.empty());
        assertThat(decide(list, true)).isEqualTo(new Decision.Waits(List.of(new Decision.Chosen(selector))));
        PatternMatchJob patternMatchJob = engine.selectors().beginMatching(selector);
        int slices = 0;
        while (continueMatching(patternMatchJob)) {
            slices++;
        }
        engine.selectors().endMatching(selector);
        assertThat(slices).isBetween(2, 6);
        assertThat(decide(list, true))
                .isInstanceOfSatisfying(
                        Decision.Partly.class,
                        partly -> assertThat(((Reply.Listed) partly.part().reply()).queues())
                                .hasSize(10));
    }

    @Test
    void aNameCountsAsHeldAgainstAPatternOnceAndUntilItsQueueGoes() {
        Queues queues = StateFixture.noQueues();
        for (int i = 0; i < 2_001; i++) {
            StateFixture.create(queues, key(i));
        }
        SelectorMatch selectorMatch = new SelectorMatch(pattern("q.*"), queues, new SelectorCache(queues));
        QueueState first = Objects.requireNonNull(queues.get(key(0)));
        assertThat(selectorMatch.isKnown()).as("2,001 are left").isFalse();
        for (int i = 0; i < 3; i++) {
            assertThat(selectorMatch.chooses(first)).isTrue();
        }
        assertThat(selectorMatch.isKnown()).as("2,000 are left").isTrue();
        selectorMatch.removed(first);
        StateFixture.remove(queues, first);
        assertThat(selectorMatch.isKnown()).as("likewise").isTrue();
        StateFixture.create(queues, key(2_001));
        assertThat(selectorMatch.isKnown()).as("another one has come").isFalse();
    }

    @Test
    void nothingIsLeasedFromAnotherGroup() {
        put(key(0), 1);
        put(QueueKey.of("h", "q0"), 1);
        Selector group = new Selector(Optional.of(GroupName.of("h")), List.of(), Optional.empty());
        assertThat(engine.selectors().mayChoose(group, queueOf(key(0)))).isFalse();
        assertThat(engine.selectors().mayChoose(group, queueOf(QueueKey.of("h", "q0"))))
                .isTrue();
        assertThat(leaseUntilEmpty(pattern("q.*"), 0)).containsExactly(key(0));
        assertThat(leaseUntilEmpty(group, 0)).containsExactly(QueueKey.of("h", "q0"));
        assertThat(engine.selectors().mayChoose(group, queueOf(key(0)))).isFalse();
        assertThat(engine.selectors().mayChoose(group, queueOf(QueueKey.of("h", "q0"))))
                .isTrue();
    }

    @Test
    void ofManySelectorsTheOneUsedLongestAgoIsForgotten() {
        SelectorCache selectorCache = engine.selectors();
        SelectorMatch first = selectorCache.of(pattern("0"));
        SelectorMatch second = selectorCache.of(pattern("1"));
        for (int i = 2; i < 256; i++) {
            selectorCache.of(pattern("" + i));
        }
        assertThat(selectorCache.of(pattern("0"))).isSameAs(first);
        selectorCache.of(pattern("256"));
        assertThat(selectorCache.of(pattern("0"))).as("was used since").isSameAs(first);
        assertThat(selectorCache.of(pattern("1"))).isNotSameAs(second);
    }

    @Test
    void aSelectorThatIsBeingLookedAtIsNotForgottenBeforeThatIsDone() {
        for (int i = 0; i < MANY; i++) {
            put(key(i), 1);
        }
        SelectorCache selectorCache = engine.selectors();
        Selector selector = pattern("q.*");
        PatternMatchJob patternMatchJob = selectorCache.beginMatching(selector);
        assertThat(continueMatching(patternMatchJob)).isTrue();
        SelectorMatch begun = selectorCache.of(selector);
        useOtherSelectors();
        assertThat(selectorCache.of(selector)).isSameAs(begun);
        while (continueMatching(patternMatchJob)) {
            useOtherSelectors();
        }
        selectorCache.endMatching(selector);
        useOtherSelectors();
        assertThat(selectorCache.of(selector)).isNotSameAs(begun);
    }

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

    /**
     * Matches a slice of what is left.
     *
     * @return false if there is none
     */
    private static boolean continueMatching(PatternMatchJob patternMatchJob) {
        PatternMatchSlice slice = patternMatchJob.next();
        if (slice != null) {
            slice.run();
            patternMatchJob.apply(slice);
        }
        return slice != null;
    }

    private void matchAll(Selector selector) {
        SelectorCache selectorCache = engine.selectors();
        selectorCache.beginTick();
        PatternMatchJob patternMatchJob = selectorCache.beginMatching(selector);
        boolean more = true;
        while (more) {
            more = continueMatching(patternMatchJob);
        }
        selectorCache.endMatching(selector);
    }

    private void useOtherSelectors() {
        for (int i = 0; i < 300; i++) {
            engine.selectors().of(pattern("another " + i));
        }
    }

    @Test
    void whatCannotBeLeasedFromIsLeftOutUntilItCan() {
        for (int i = 0; i < 10; i++) {
            put(key(i), 1);
        }
        Selector all = pattern("q.*");
        assertThat(leaseUntilEmpty(all, 0)).hasSize(10);
        nowMillis += 60_000;
        assertThat(leaseUntilEmpty(all, 0)).as("expired").hasSize(10);
        put(key(3), 2);
        put(QueueKey.of("g", "other"), 1);
        assertThat(leaseUntilEmpty(all, 0)).as("enqueued").containsExactly(key(3));
        configure(key(5), new QueueOptions(true, 0, 1));
        nowMillis += 60_000;
        assertThat(leaseUntilEmpty(all, 0)).as("but the paused one").hasSize(10).doesNotContain(key(5));
        configure(key(5), QueueOptions.NONE);
        assertThat(leaseUntilEmpty(all, 0)).as("resumed").containsExactly(key(5));
    }

    /** The order is that of the weights, over and over, whatever the sizes of leases and wherever they end. */
    @Test
    void aQueueGivesItsWeightInTurnHoweverLargeTheLeasesAre() {
        for (int seed = 0; seed < Math.min(200, EFFORT); seed++) {
            Random random = new Random(seed);
            String name = "w" + seed + "-";
            List<QueueKey> order = new ArrayList<>();
            int queues = 1 + random.nextInt(5);
            for (int i = 0; i < queues; i++) {
                QueueKey key = QueueKey.of("g", name + i);
                int weight = 1 + random.nextInt(4);
                configure(key, new QueueOptions(true, 0, weight));
                configure(key, new QueueOptions(false, 0, QueueOptions.SAME_WEIGHT));
                put(key, 400);
                order.addAll(Collections.nCopies(weight, key));
            }
            List<QueueKey> leased = new ArrayList<>();
            while (leased.size() < 300) {
                leased.addAll(once(pattern(name + ".*"), 0, 1 + random.nextInt(12)));
            }
            for (int i = 0; i < leased.size(); i++) {
                assertThat(leased.get(i)).as("seed %d, task %d", seed, i).isEqualTo(order.get(i % order.size()));
            }
        }
    }

    @Test
    void aQueueThatRunsDryMissesTheRestOfItsTurn() {
        configure(key(0), new QueueOptions(false, 0, 3));
        put(key(0), 2);
        put(key(1), 20);
        Selector both = pattern("q.*");
        assertThat(once(both, 0, 4)).containsExactly(key(0), key(0), key(1), key(1));
        put(key(0), 20);
        assertThat(once(both, 0, 5)).containsExactly(key(0), key(0), key(0), key(1), key(0));
        assertThat(once(both, 0, 3)).as("goes on in the middle of the turn").containsExactly(key(0), key(0), key(1));
        configure(key(0), new QueueOptions(false, 0, 1));
        assertThat(once(both, 0, 3)).as("of the same weight again").containsExactly(key(0), key(1), key(0));
    }

    @Test
    void aCapCountsAfresh() {
        put(key(0), 4);
        Selector all = pattern("q.*");
        assertThat(leaseUntilEmpty(all, 1)).hasSize(1);
        assertThat(leaseUntilEmpty(all, 3)).hasSize(2);
        assertThat(leaseUntilEmpty(all, 1)).isEmpty();
        nowMillis += 60_000;
        assertThat(leaseUntilEmpty(all, 1)).hasSize(1);
        assertThat(leaseUntilEmpty(all, 0)).hasSize(3);
    }

    @Test
    void whatIsKnownIsWhatIsTrueWhileQueuesComeAndGo() {
        Random random = new Random(11);
        List<Selector> selectors = List.of(
                pattern("q[0-4]"),
                pattern(".*"),
                new Selector(Optional.empty(), List.of(), Optional.empty()),
                new Selector(Optional.of(GroupName.of("g")), List.of(key(1).name(), key(7).name()), Optional.empty()));
        for (int step = 0; step < Math.min(5_000, 200 * EFFORT); step++) {
            QueueKey key = key(random.nextInt(10));
            QueueState queue = state.queue(key);
            if (queue == null || queue.total() == 0) {
                put(key, 1);
            } else if (random.nextInt(3) == 0) {
                delete(key);
            }
            if (random.nextInt(20) == 0) {
                List.copyOf(state.queues().all()).forEach(known -> delete(known.key()));
                flush();
                assertThat(state.queues().size()).isZero();
            }
            Selector selector = selectors.get(random.nextInt(selectors.size()));
            state.advance(nowMillis);
            Set<QueueKey> expected = new HashSet<>();
            for (QueueState known : state.queues().all()) {
                if (known.leasable() > 0 && selector.chooses(known.key())) {
                    expected.add(known.key());
                }
            }
            assertThat(once(selector, 0, 100)).containsExactlyInAnyOrderElementsOf(expected);
            nowMillis += 60_000;
        }
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

    private Decision decide(Command command, boolean onTime) {
        state.advance(nowMillis);
        return Engine.decide(engine, command, nowMillis, onTime);
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

    private List<QueueKey> leaseUntilEmpty(Selector selector, long cap) {
        List<QueueKey> leased = new ArrayList<>();
        for (List<QueueKey> some = once(selector, cap, 1); !some.isEmpty(); some = once(selector, cap, 1)) {
            leased.addAll(some);
        }
        return leased;
    }

    private List<QueueKey> once(Selector selector, long cap, int tasks) {
        Lease lease = new Lease(selector, tasks, 1 << 20, 30_000, Optional.empty(), 0, cap, "w", "here");
        return leased(lease, (Decision.Done) decide(lease, true));
    }

    /** Returns the queues that tasks are leased from. */
    private List<QueueKey> leased(Lease lease, Decision.Done done) {
        Reply.Leased reply = (Reply.Leased) done.reply();
        if (done.atom() != null) {
            state.apply(done.atom(), nowMillis);
        }
        engine.selectors().leased(lease, reply);
        return reply.tasks().stream().map(LeasedTask::queue).toList();
    }

    /** Enqueues one more task than the queue holds now, up to this number. */
    private void put(QueueKey key, int tasks) {
        QueueState queue = state.queue(key);
        long generation = queue == null ? state.lastTicket() + 1 : queue.generation();
        Sizes sizes = queue == null ? Sizes.NONE : queue.sizes();
        List<ApplyAtom.TaskChange> puts = new ArrayList<>();
        for (long i = sizes.available() + sizes.leased(); i < tasks; i++) {
            puts.add(new ApplyAtom.Put(Pid.of("t" + i), new Enqueued(DATA, nowMillis, 0)));
        }
        apply(new QueueChange(
                key,
                generation,
                false,
                new Sizes(sizes.available() + puts.size(), sizes.leased(), 0),
                FifoPid.NONE,
                puts));
    }

    private void delete(QueueKey key) {
        apply(new QueueChange(key, state.lastTicket() + 1, false, Sizes.NONE, FifoPid.NONE, List.of()));
    }

    private void apply(QueueChange change) {
        state.apply(new ApplyAtom(state.lastTicket() + 1, List.of(change)), nowMillis);
    }

    private void configure(QueueKey key, QueueOptions options) {
        Decision.Done done = (Decision.Done) decide(new Command.Configure(key, options), true);
        state.apply(Objects.requireNonNull(done.atom()), nowMillis);
    }

    private void flush() {
        FlushRound round = state.takeRound();
        state.tasksFlushed(round.tasks(), 0);
        state.recordsFlushed(round.records());
        state.roundCompleted();
    }

    private QueueState queueOf(QueueKey key) {
        return Objects.requireNonNull(state.queue(key));
    }

    private static QueueKey key(int i) {
        return QueueKey.of("g", "q" + i);
    }

    private static Selector pattern(String regex) {
        return new Selector(Optional.of(GroupName.of("g")), List.of(), Optional.of(NamePattern.compile(regex)));
    }
}
