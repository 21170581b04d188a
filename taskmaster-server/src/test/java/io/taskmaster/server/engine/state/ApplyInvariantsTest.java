package io.taskmaster.server.engine.state;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.taskmaster.command.FifoPid;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.ApplyAtom.TaskChange;
import io.taskmaster.server.engine.command.Grant;
import io.taskmaster.server.engine.command.Sizes;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the invariants that are checked while an atom is applied: each is broken once. */
final class ApplyInvariantsTest {

    private static final QueueKey QUEUE = QueueKey.of("q");
    private static final Pid A = Pid.of("a");

    private final SmallPartition partition = new SmallPartition();

    @BeforeEach
    void enqueue() {
        partition.enqueue(QUEUE, "a", "b");
    }

    @Test
    void aTicketGrows() {
        assertBroken(new ApplyAtom(partition.state.lastTicket(), List.of()), "expected: above");
    }

    @Test
    void noSizeIsNegative() {
        assertBroken(change(new Sizes(3, -1, 0)), "none negative");
    }

    @Test
    void noMoreIsInMemoryThanTheSizesSay() {
        assertBroken(change(new Sizes(1, 0, 0)), "2 in memory");
    }

    @Test
    void noMoreLeasesHaveExpiredThanThereAre() {
        partition.lease(QUEUE, 1);
        partition.state.advance(partition.nowMillis + SmallPartition.LEASE_MILLIS);
        assertBroken(change(new Sizes(2, 0, 0)), "1 expired");
    }

    @Test
    void noMoreDelaysAreOverThanThereAre() {
        partition.enqueue(QUEUE, SmallPartition.DATA, 2_000, "c");
        partition.state.advance(2_000);
        assertBroken(change(new Sizes(3, 0, 0)), "1 due");
    }

    @Test
    void aLeaseIsGrantedByItsAtomOrIsTheOneThatTheTaskHas() {
        partition.lease(QUEUE, 1);
        long leaseId = partition.state.lastTicket();
        long ticket = leaseId + 1;
        assertBroken(change(new Sizes(1, 1, 0), lease(leaseId - 1)), "lease " + (leaseId - 1));
        assertBroken(change(new Sizes(1, 1, 0), lease(ticket + 2)), "lease " + (ticket + 2));
    }

    private ApplyAtom.Lease lease(long leaseId) {
        return new ApplyAtom.Lease(A, new Grant(leaseId, 1_000, 40_000, "w", "here"), 1, false);
    }

    private ApplyAtom change(Sizes sizes, TaskChange... tasks) {
        long generation = partition.queue(QUEUE).generation;
        return new ApplyAtom(
                partition.state.lastTicket() + 1,
                List.of(new QueueChange(QUEUE, generation, false, sizes, FifoPid.NONE, List.of(tasks))));
    }

    private void assertBroken(ApplyAtom atom, String message) {
        assertThatIllegalStateException()
                .isThrownBy(() -> partition.state.apply(atom, partition.nowMillis))
                .withMessageContaining(message);
    }
}
