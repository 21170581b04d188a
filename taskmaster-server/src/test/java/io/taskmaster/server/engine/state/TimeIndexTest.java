package io.taskmaster.server.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.Grant;
import io.taskmaster.server.engine.flow.Families;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of time over leases of which some are in memory, and some are rows of which only the head is in memory. */
final class TimeIndexTest {

    private static final int MAX_HINTS = 10;

    private final TimeIndex times = new TimeIndex(MAX_HINTS);
    private final QueueState queue = queue("q", 0);
    private final QueueState other = queue("r", 1);

    private static QueueState queue(String name, int slot) {
        return new QueueState(
                QueueKey.of(name),
                new Families(Optional.empty()).join(QueueKey.of(name)),
                new Rates(),
                new QueueObserver() {},
                1,
                slot);
    }

    @Test
    void timeCannotPassWhatIsStoredAndUnknown() {
        assertThat(times.advancedTo(1_000)).isFalse();
        load(null);
        assertThat(times.advancedTo(1_000)).isTrue();
        assertThat(times.firedUntil()).isEqualTo(1_000);
    }

    @Test
    void leasesOfAllQueuesFireInOrderOfTime() {
        load(null);
        add(queue, "b", 30);
        add(other, "a", 20);
        add(queue, "c", 10);
        assertThat(times.nextMillis()).isEqualTo(10);
        assertThat(fired(25)).containsExactly("c", "a");
        assertThat(times.nextMillis()).isEqualTo(30);
        assertThat(fired(30)).containsExactly("b");
        assertThat(times.nextMillis()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aHintThatIsDueHoldsTimeUntilItIsSettled() {
        load(null, hint("a", 20));
        add(queue, "b", 20);
        assertThat(fired(50)).isEmpty();
        assertThat(times.advancedTo(50)).isFalse();
        assertThat(times.firedUntil()).isEqualTo(19);
        times.settled(times.due(50, 5, Long.MAX_VALUE).getFirst());
        assertThat(fired(50)).containsExactly("b");
        assertThat(times.advancedTo(50)).isTrue();
    }

    @Test
    void tasksInFrontOfAHintOfTheirInstantAreCountedBeforeIt() {
        load(null, hint("b", 20));
        add(queue, "a", 20);
        add(queue, "c", 20);
        add(other, "a", 20);
        assertThat(fired(20)).containsExactly("a");
        assertThat(times.advancedTo(20)).isFalse();
        assertThat(times.hasPassed(hint("a", 20))).isTrue();
        assertThat(times.hasPassed(hint("b", 20))).isFalse();
        times.settled(hint("b", 20));
        assertThat(fired(20)).containsExactly("c", "a");
        assertThat(times.advancedTo(20)).isTrue();
    }

    @Test
    void whatTheClockHasPassedStaysPassedThoughTheIndexIsReadAgain() {
        load(null, hint("b", 20));
        times.advancedTo(20);
        times.reset();
        times.advancedTo(20);
        assertThat(times.hasPassed(hint("a", 20))).isTrue();
        assertThat(times.hasPassed(hint("b", 20))).isFalse();
    }

    @Test
    void thousandsOfLeasesRunOutInTheSameMillisecond() {
        load(null);
        for (int i = 0; i < 5_000; i++) {
            add(i % 2 == 0 ? queue : other, "%05d".formatted(i), 100);
        }
        assertThat(fired(99)).isEmpty();
        assertThat(fired(100)).hasSize(5_000).doesNotHaveDuplicates();
    }

    @Test
    void thousandsOfStoredLeasesOfOneMillisecondAreReadPieceByPiece() {
        TreeSet<TimeHint> rows = new TreeSet<>();
        for (int i = 0; i < 5_000; i++) {
            rows.add(hint("%05d".formatted(i), 100));
        }
        int settled = 0;
        while (!times.advancedTo(100)) {
            List<TimeHint> due = times.due(100, 7, Long.MAX_VALUE);
            due.forEach(times::settled);
            settled += due.size();
            TimeHint from = times.loadFrom();
            if (due.isEmpty() && from != null) {
                List<TimeHint> page =
                        rows.tailSet(from, true).stream().limit(25).toList();
                times.loaded(
                        from, page, page.size() < 25 ? null : page.getLast().successor());
                assertThat(times.hints).hasSizeLessThanOrEqualTo(MAX_HINTS);
            }
        }
        assertThat(settled).isEqualTo(5_000);
    }

    @Test
    void aScanFromWhereTheHeadEndedBeforeIsDiscarded() {
        load(hint("y", 90));
        for (int i = 0; i <= MAX_HINTS; i++) {
            giveUp("p" + (char) ('a' + i), 10 + i);
        }
        TimeHint shortened = hint("p" + (char) ('a' + MAX_HINTS), 10 + MAX_HINTS);
        assertThat(times.loadFrom()).isEqualTo(shortened);
        times.loaded(hint("y", 90), List.of(), null);
        assertThat(times.loadFrom()).isEqualTo(shortened);
        assertThat(times.knows(500)).isFalse();
    }

    @Test
    void aLeaseGivenUpBeyondTheKnownHeadIsFoundInTheRows() {
        load(hint("y", 90));
        giveUp("z", 100);
        assertThat(times.hints).isEmpty();
        assertThat(times.nextMillis()).isEqualTo(90);
    }

    @Test
    void whatIsDueIsReadInPiecesOfTasksAndBytes() {
        load(null, large("a", 10), large("b", 10), large("c", 20));
        assertThat(times.due(9, 9, 1_000)).isEmpty();
        assertThat(times.due(10, 9, 1_000)).hasSize(2);
        assertThat(times.due(20, 9, 1_000)).hasSize(3);
        assertThat(times.due(20, 2, 1_000)).hasSize(2);
        assertThat(times.due(20, 9, 200)).hasSize(2);
        assertThat(times.due(20, 9, 199)).hasSize(1);
        assertThat(times.due(20, 9, 1)).as("the first one, however large").hasSize(1);
    }

    @Test
    void whereTheKnownHeadEndsNothingIsKnown() {
        load(hint("y", 90));
        assertThat(times.knows(89)).isTrue();
        assertThat(times.knows(90)).isFalse();
        giveUp("y", 90);
        assertThat(times.hints).as("it is going to be read").isEmpty();
        giveUp("x", 90);
        assertThat(times.hints).containsExactly(hint("x", 90));
    }

    @Test
    void nothingOfADeletedQueueFires() {
        load(null);
        add(queue, "a", 10);
        add(other, "b", 10);
        times.forget(queue);
        assertThat(fired(10)).containsExactly("b");
    }

    @Test
    void aRenewedLeaseFiresAtItsNewTime() {
        load(null);
        Task task = add(queue, "a", 10);
        times.remove(task);
        task.grant = new Grant(1, 0, 40, "", "");
        times.add(task);
        assertThat(fired(39)).isEmpty();
        assertThat(fired(40)).containsExactly("a");
    }

    private void load(@Nullable TimeHint until, TimeHint... hints) {
        times.loaded(TimeHint.FIRST, List.of(hints), until);
    }

    private Task add(QueueState of, String pid, long expiresMillis) {
        Task task = new Task(of, Pid.of(pid));
        task.present = true;
        task.grant = new Grant(1, 0, expiresMillis, "", "");
        times.add(task);
        return task;
    }

    private void giveUp(String pid, long expiresMillis) {
        times.evicted(add(queue, pid, expiresMillis));
    }

    private TimeHint hint(String pid, long expiresMillis) {
        return new TimeHint(expiresMillis, queue.key, 1, Pid.of(pid), 1);
    }

    private TimeHint large(String pid, long millis) {
        return new TimeHint(millis, queue.key, 1, Pid.of(pid), 100);
    }

    private List<String> fired(long nowMillis) {
        List<String> fired = new ArrayList<>();
        for (Task task = times.fireNext(nowMillis); task != null; task = times.fireNext(nowMillis)) {
            fired.add(task.pid.toString());
        }
        return fired;
    }
}
