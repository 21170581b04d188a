package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command.Dequeue;
import io.taskmaster.command.Command.Update;
import io.taskmaster.model.Pid;
import io.taskmaster.server.partition.admit.AdmissionControl;
import io.taskmaster.server.partition.budget.LogBackpressure;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the shares that groups and callers get of a log which takes one task after the other, by counts. */
final class FairAdmissionTest {

    /** A task is as large as the bytes that may always wait for the log, and larger than the quantum of round-robin. */
    private final SlowStorePartition slow = new SlowStorePartition(1 << 20, (int) LogBackpressure.MIN_BYTES);

    @BeforeEach
    void slowDown() {
        slow.enqueue("first", false);
        slow.everythingLands();
        slow.enqueue("slow", false);
        slow.loop.pass(1_000 * SlowStorePartition.SETTINGS.logWaitMillis());
        slow.everythingLands();
        slow.enqueue("busy", false);
        slow.replies.clear();
    }

    @Test
    void aLoneCallerWaitsForOneRequestOfEachOtherAndNotForAll() {
        for (int i = 0; i < 50; i++) {
            slow.enqueue("g", "loader 1", "a" + i, false);
            slow.enqueue("g", "loader 2", "b" + i, false);
        }
        slow.enqueue("g", "lone", "lone", false);
        slow.everythingLands();

        assertThat(slow.replies.indexOf("lone")).isBetween(1, 1 + 2 * 2);
        assertThat(slow.replies).hasSize(102);
    }

    @Test
    void aRequestWithoutTasksIsServedInTurnWithThoseThatBringSome() {
        for (int i = 0; i < 50; i++) {
            slow.enqueue("g", "loader", "a" + i, false);
        }
        Update dequeue = new Update(
                SlowStorePartition.QUEUE.group(),
                List.of(),
                List.of(new Dequeue(SlowStorePartition.QUEUE.name(), Pid.of("first"), 0)),
                List.of(),
                List.of());
        slow.submit("lone", dequeue, "lone", false);
        slow.everythingLands();

        assertThat(slow.replies.indexOf("lone")).isBetween(1, 3);
    }

    @Test
    void aGroupGetsItsShareHoweverManyCallersAnotherHas() {
        for (int i = 0; i < 100; i++) {
            slow.enqueue("crowd", "caller " + i % 20, "crowd " + i, false);
        }
        IntStream.range(0, 20).forEach(i -> slow.enqueue("few", "caller", "few " + i, false));
        slow.everythingLands();

        assertThat(slow.replies.subList(1, 41))
                .filteredOn(name -> name.startsWith("few"))
                .hasSizeBetween(19, 20);
    }

    @Test
    void callersOfBulkWorkShareWhatInteractiveWorkLeaves() {
        for (int i = 0; i < 20; i++) {
            slow.enqueue("g", "loader", "bulk " + i, true);
        }
        slow.enqueue("g", "lone", "lone bulk", true);
        slow.enqueue("g", "loader", "interactive", false);
        slow.everythingLands();

        assertThat(slow.replies.subList(0, 2)).containsExactly("busy", "interactive");
        assertThat(slow.replies.indexOf("lone bulk")).isBetween(2, 4);
    }

    @Test
    void eachCallersOrderIsKept() {
        for (int i = 10; i < 40; i++) {
            slow.enqueue("g", "a", "a" + i, false);
            slow.enqueue("g", "b", "b" + i, false);
        }
        slow.everythingLands();

        assertThat(slow.replies)
                .filteredOn(name -> name.startsWith("a"))
                .hasSize(30)
                .isSorted();
        assertThat(slow.replies)
                .filteredOn(name -> name.startsWith("b") && !name.equals("busy"))
                .hasSize(30)
                .isSorted();
    }

    @Test
    void whereMoreComesThanGoesInThoseAreRefusedWhoseItIs() {
        loadBesideALoneRequestFor(2 * AdmissionControl.INTERACTIVE_MAX_WAIT_MILLIS - 10);

        assertThat(slow.replies).hasSizeGreaterThan(10).allMatch(line -> line.matches("loader.*OVERLOADED.*"));
        slow.everythingLands();
        assertThat(slow.replies)
                .filteredOn(line -> !line.contains("OVERLOADED"))
                .startsWith("busy")
                .contains("lone");
    }

    @Test
    void nobodyWaitsLongerThanARequestMayHoweverLittleItHas() {
        loadBesideALoneRequestFor(SlowStorePartition.SETTINGS.admissionMillis());

        assertThat(slow.replies).anyMatch(line -> line.startsWith("lone: OVERLOADED"));
    }

    /** Lets one caller submit requests all the time beside a single request of another, while none is admitted. */
    private void loadBesideALoneRequestFor(long millis) {
        slow.enqueue("g", "loader", "loader", false);
        slow.enqueue("g", "lone", "lone", false);
        for (long waited = 0; waited < millis; waited += 10) {
            slow.enqueue("g", "loader", "loader " + waited, false);
            slow.loop.pass(10);
        }
    }

    /**
     * Verifies that many small requests of one caller, none of them in the log yet, are sorted behind those of another
     * caller.
     */
    @Test
    void whoComesInTheSameTurnOfTheLoopDoesNotWaitForAllBefore() {
        slow.everythingLands();
        slow.replies.clear();
        for (int i = 0; i < 10 * AdmissionControl.MAX_IMMEDIATE_PER_TICK; i++) {
            slow.submitUnturned("loader " + i, nothing("" + i), "loader", false);
        }
        slow.submitUnturned("lone", nothing("lone"), "lone", false);
        slow.everythingLands();

        assertThat(slow.replies.indexOf("lone")).isLessThan(3 * AdmissionControl.MAX_IMMEDIATE_PER_TICK);
    }

    private static Update nothing(String pid) {
        return new Update(
                SlowStorePartition.QUEUE.group(),
                List.of(),
                List.of(new Dequeue(SlowStorePartition.QUEUE.name(), Pid.of(pid), 0)),
                List.of(),
                List.of());
    }
}
