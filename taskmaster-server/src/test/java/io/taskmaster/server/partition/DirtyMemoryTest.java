package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Update;
import io.taskmaster.model.Pid;
import io.taskmaster.server.partition.admit.AdmissionControl;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of updates while a slow store keeps dirty memory full. */
final class DirtyMemoryTest {

    private static final long ADMISSION_MILLIS = SlowStorePartition.SETTINGS.admissionMillis();

    /** So little dirty memory that one task fills it. */
    private final SlowStorePartition slow = new SlowStorePartition(1, 1);

    @Test
    void updatesThatEnqueueWaitInTheOrderOfTheirArrival() {
        List.of("a", "b", "c", "d").forEach(pid -> slow.enqueue(pid, false));
        slow.loop.tick();
        assertThat(slow.replies).isEmpty();

        slow.loop.pass(ADMISSION_MILLIS - 1);
        slow.everythingLands();
        assertThat(slow.replies).containsExactly("a", "b", "c", "d");
    }

    @Test
    void whoWaitsTooLongIsRefusedAndToldWhenToComeAgain() {
        slow.enqueue("a", false);
        slow.enqueue("b", false);
        slow.loop.pass(ADMISSION_MILLIS / 2);
        slow.enqueue("c", false);
        slow.loop.pass(ADMISSION_MILLIS / 2 + 1);
        assertThat(slow.replies).containsExactly("b: OVERLOADED, again after PT0.1S");

        slow.everythingLands();
        assertThat(slow.replies).containsExactly("b: OVERLOADED, again after PT0.1S", "a", "c");
    }

    @Test
    void nobodyIsRefusedWhenMemoryComesBackHoweverLongThatTook() {
        slow.enqueue("a", false);
        List.of("b", "c", "d").forEach(pid -> slow.enqueue(pid, false));
        slow.loop.pass(3 * AdmissionControl.STANDING_MILLIS);
        assertThat(slow.replies).isEmpty();

        slow.everythingLands();
        assertThat(slow.replies).containsExactly("a", "b", "c", "d");
    }

    @Test
    void whatFreesMemoryDoesNotWait() {
        slow.enqueue("a", false);
        slow.enqueue("b", false);
        slow.submit(
                "dequeued",
                new Update(
                        SlowStorePartition.QUEUE.group(),
                        List.of(),
                        List.of(new Command.Dequeue(SlowStorePartition.QUEUE.name(), Pid.of("a"), 0)),
                        List.of(),
                        List.of()),
                false);
        slow.loop.tick();
        slow.completeCommits();

        assertThat(slow.replies).containsExactly("a", "dequeued");
    }

    @Test
    void whoWaitsWhenTheEpochEndsIsTold() {
        slow.enqueue("a", false);
        slow.enqueue("b", false);
        slow.loop.tick();
        slow.crash();
        assertThat(slow.replies).anySatisfy(line -> assertThat(line).startsWith("b: PARTITION_OPENING"));
    }
}
