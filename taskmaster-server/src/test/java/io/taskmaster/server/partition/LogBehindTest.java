package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Dequeue;
import io.taskmaster.command.Command.Update;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.server.partition.admit.AdmissionControl;
import io.taskmaster.server.partition.budget.LogBackpressure;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the order of admission, of waits, and of refusals while a store takes less than arrives. */
final class LogBehindTest {

    /** A task is as large as the bytes that may always wait for the log. */
    private final SlowStorePartition slow = new SlowStorePartition(1 << 20, (int) LogBackpressure.MIN_BYTES);

    /** Makes the log fast at first, and then so slow that only one task may wait for it. */
    @BeforeEach
    void slowDown() {
        slow.enqueue("first", false);
        slow.everythingLands();
        slow.enqueue("slow", false);
        slow.loop.pass(1_000 * SlowStorePartition.SETTINGS.logWaitMillis());
        slow.everythingLands();
        slow.replies.clear();
    }

    @Test
    void interactiveRequestsGoBeforeBulkOnesThatCameEarlier() {
        slow.enqueue("busy", false);
        slow.enqueue("bulk 1", true);
        slow.enqueue("bulk 2", true);
        slow.enqueue("interactive 1", false);
        slow.enqueue("interactive 2", false);
        slow.everythingLands();

        assertThat(slow.replies).containsExactly("busy", "interactive 1", "interactive 2", "bulk 1", "bulk 2");
    }

    @Test
    void noMoreIsInTheLogThanItTakesInTime() {
        for (int i = 0; i < 10; i++) {
            slow.enqueue("task " + i, i % 2 == 0);
        }
        slow.loop.tick();

        assertThat(slow.inStore()).isEqualTo(1);
    }

    @Test
    void whoOnlyLooksDoesNotWaitBehindWhoWaitsForTheLog() {
        slow.enqueue("busy", false);
        slow.enqueue("waits", false);
        slow.submit("looks", new Command.Peek(SlowStorePartition.QUEUE, Pid.of("a"), 1, 1, false), false);
        slow.loop.tick();
        slow.completeCommits();

        assertThat(slow.replies).containsExactly("busy", "looks");
    }

    @Test
    void aBurstWaitsUntilItIsOver() {
        slow.enqueue("busy", false);
        slow.enqueue("interactive", false);
        slow.enqueue("bulk", true);
        slow.loop.pass(AdmissionControl.STANDING_MILLIS);
        assertThat(slow.replies).isEmpty();

        slow.everythingLands();
        assertThat(slow.replies).containsExactly("busy", "interactive", "bulk");
    }

    @Test
    void whereNobodyGetsInSoonNobodyWaitsLong() {
        slow.enqueue("busy", false);
        slow.enqueue("bulk 1", true);
        for (long waited = 0; waited < AdmissionControl.STANDING_MILLIS; waited += 10) {
            slow.loop.pass(10);
        }
        slow.enqueue("bulk 2", true);
        slow.loop.pass(AdmissionControl.BULK_MAX_WAIT_MILLIS / 2);
        slow.loop.pass(10);
        assertThat(slow.replies).containsExactly("bulk 1: OVERLOADED, again after PT0.1S");

        slow.enqueue("bulk 3", true);
        slow.loop.pass(AdmissionControl.BULK_MAX_WAIT_MILLIS / 2);
        assertThat(slow.replies).hasSize(2).last().isEqualTo("bulk 2: OVERLOADED, again after PT0.1S");

        slow.everythingLands();
        assertThat(slow.replies).last().isEqualTo("bulk 3");
    }

    /**
     * Verifies that a closed loop of clients, on a log that takes one request after the other, is not overload if no
     * request waits long.
     */
    @Test
    void aLineThatNeverEndsIsNoOverloadWhereItMovesOn() {
        slow.enqueue("busy", true);
        for (int i = 0; i < 100; i++) {
            slow.enqueue("bulk " + i, true);
            slow.loop.pass(AdmissionControl.BULK_MAX_WAIT_MILLIS / 4);
            slow.completeCommits();
        }

        assertThat(slow.replies)
                .hasSizeGreaterThan(90)
                .allSatisfy(line -> assertThat(line).doesNotContain("OVERLOADED"));
    }

    /** Verifies that requests which wait for each other, and not for the log, are not refused. */
    @Test
    void whoWaitsForALargeUpdateIsNotRefused() {
        List<Dequeue> nothing = IntStream.rangeClosed(0, SlowStorePartition.SETTINGS.largeElements())
                .mapToObj(i -> new Dequeue(SlowStorePartition.QUEUE.name(), Pid.of("none " + i), 0))
                .toList();
        Update large = new Update(GroupName.EMPTY, List.of(), nothing, List.of(), List.of());
        slow.loop.holdOffloaded();
        for (int i = 1; i <= 4; i++) {
            slow.submit("large " + i, large, true);
        }
        // The first one returns, the second is offloaded, and the others wait.
        slow.loop.releaseOffloaded();
        slow.loop.holdOffloaded();
        slow.loop.pass(AdmissionControl.STANDING_MILLIS + AdmissionControl.BULK_MAX_WAIT_MILLIS);
        slow.loop.releaseOffloaded();
        slow.everythingLands();

        assertThat(slow.replies).containsExactly("large 1", "large 2", "large 3", "large 4");
    }

    @Test
    void interactiveRequestsMayWaitLongerThanBulkOnes() {
        slow.enqueue("busy", false);
        slow.enqueue("interactive 1", false);
        slow.loop.pass(AdmissionControl.INTERACTIVE_MAX_WAIT_MILLIS / 2 - 10);
        slow.enqueue("interactive 2", false);
        for (long waited = 0; waited <= AdmissionControl.STANDING_MILLIS; waited += 10) {
            slow.loop.pass(10);
        }
        slow.loop.pass(10);
        assertThat(slow.replies).containsExactly("interactive 1: OVERLOADED, again after PT0.1S");

        slow.everythingLands();
        assertThat(slow.replies).last().isEqualTo("interactive 2");
    }

    @Test
    void whoWaitsWhenTheEpochEndsIsTold() {
        slow.enqueue("busy", false);
        slow.enqueue("bulk", true);
        slow.enqueue("interactive", false);
        slow.crash();

        assertThat(slow.replies).hasSize(3);
        assertThat(slow.replies).anySatisfy(line -> assertThat(line).startsWith("bulk: PARTITION_OPENING"));
        assertThat(slow.replies).anySatisfy(line -> assertThat(line).startsWith("interactive: PARTITION_OPENING"));
    }
}
