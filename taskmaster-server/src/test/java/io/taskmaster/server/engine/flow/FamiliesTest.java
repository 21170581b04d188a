package io.taskmaster.server.engine.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.taskmaster.model.QueueKey;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of hand-offs between families. */
final class FamiliesTest {

    private static final QueueKey KEY = QueueKey.of("q");

    private final Families families = new Families(Optional.empty());
    private final Family a = join("a");
    private final Family b = join("b");
    private final Family c = join("c");

    @Test
    void whatIsEnqueuedCameFromWhereTheUpdateDequeued() {
        families.changed(a, KEY, 0, 0, 1);
        families.changed(b, KEY, 3, 0, 0);
        families.changed(c, KEY, 1, 0, 0);
        families.endAtom();
        assertPassed("a", "b", 3);
        assertPassed("a", "c", 1);
        assertThat(families.snapshot().edges()).hasSize(2);
    }

    @Test
    void ofSeveralThatGaveEachHasItsShare() {
        families.changed(a, KEY, 0, 0, 3);
        families.changed(b, KEY, 0, 0, 1);
        families.changed(c, KEY, 2, 0, 0);
        families.endAtom();
        assertPassed("a", "c", 1.5);
        assertPassed("b", "c", .5);
    }

    @Test
    void aFamilyMayHandOnToItself() {
        families.changed(a, KEY, 1, 0, 1);
        families.changed(a, KEY, 1, 0, 1);
        families.endAtom();
        assertPassed("a", "a", 2);
    }

    @Test
    void whatIsDequeuedAloneHasEnded() {
        families.changed(a, KEY, 0, 0, 2);
        families.endAtom();
        families.changed(b, KEY, 2, 0, 0);
        families.endAtom();
        families.changed(a, KEY, 0, 5, 0);
        families.endAtom();
        assertThat(families.snapshot().edges()).as("one update each").isEmpty();
        assertThat(node("a").ended()).isEqualTo(2);
        assertThat(node("a").leases()).isEqualTo(5);
        assertThat(node("b").enqueued()).isEqualTo(2);
        assertThat(node("b").ended()).isZero();
    }

    @Test
    void whatWasCountedForAFamilyThatIsGoneIsCountedForThoseLeftOver() {
        Family from = join("n/from");
        Family to = join("n/to");
        families.changed(from, KEY, 0, 1, 1);
        families.changed(to, KEY, 4, 0, 0);
        families.endAtom();
        families.changed(to, KEY, 0, 0, 1);
        families.changed(a, KEY, 1, 0, 0);
        families.endAtom();
        int names = 0;
        while (!families.add(QueueKey.of("n/" + names))) {
            names++;
        }
        from.removeQueue();
        to.removeQueue();
        assertThat(families.join(QueueKey.of("n/from"))).isSameAs(families.join(QueueKey.of("n/to")));
        families.endAtom();
        assertThat(families.snapshot().nodes())
                .extracting(one -> one.name().toString())
                .containsExactly("a", "b", "c", "n/*", "*");
        assertThat(node("*").enqueued()).isEqualTo(4);
        assertThat(node("*").dequeued()).isEqualTo(2);
        assertThat(node("*").leases()).isEqualTo(1);
        assertPassed("*", "*", 4);
        assertPassed("*", "a", 1);
    }

    @Test
    void groupsBeyondANumberAreNamedTogether() {
        for (int i = 0; i < 3 * Families.MAX_GROUPS; i++) {
            QueueKey key = QueueKey.of("group" + i, "q");
            families.add(key);
            families.join(key);
        }
        assertThat(families.snapshot().nodes()).hasSize(3 + Families.MAX_GROUPS - 1 + 1);
        assertThat(families.snapshot().nodes().getLast().name().group()).isEmpty();
        assertThat(families.snapshot().nodes().getLast().queues()).isEqualTo(2L * Families.MAX_GROUPS + 1);
    }

    @Test
    void familiesAreBounded() {
        for (int group = 0; group < Families.MAX_GROUPS; group++) {
            for (int i = 0; i < Naming.MAX_NAMES; i++) {
                QueueKey key = QueueKey.of("group" + group, "q" + i);
                families.add(key);
                families.join(key);
            }
        }
        assertThat(families.snapshot().nodes()).hasSize(Families.MAX_FAMILIES + 1);
        assertThat(node("*").queues()).isPositive();
    }

    private Family join(String name) {
        families.add(QueueKey.of(name));
        return families.join(QueueKey.of(name));
    }

    private FlowSnapshot.Node node(String name) {
        return families.snapshot().nodes().stream()
                .filter(one -> one.name().toString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void assertPassed(String from, String to, double tasks) {
        assertThat(families.snapshot().edges())
                .filteredOn(edge -> edge.from().toString().equals(from)
                        && edge.to().toString().equals(to))
                .singleElement()
                .satisfies(edge -> assertThat(edge.tasks()).isCloseTo(tasks, within(1e-9)));
    }
}
