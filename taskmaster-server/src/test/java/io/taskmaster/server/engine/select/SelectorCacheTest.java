package io.taskmaster.server.engine.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command.ListQueues;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Reply;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.Queues;
import io.taskmaster.server.engine.state.StateFixture;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of selectors over many queues: what is known of them is kept while queues come, go, and change. */
final class SelectorCacheTest extends NamedQueues {

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
}
