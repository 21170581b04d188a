package io.taskmaster.server.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.FifoPid;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.ApplyAtom.TaskChange;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Grant;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.tests.Profile;
import io.taskmaster.tests.Slow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the cost of queues: many idle ones, and a large one that is deleted. */
final class ManyQueuesTest {

    /** Many enough that the memory of tests on other threads does not matter. */
    private static final int QUEUES = 200_000;

    private static final int TASKS = 300_000;
    private static final Payload DATA = new Payload(Bytes.EMPTY, Map.of());

    private final PartitionState state = new PartitionState(EngineSettings.DEFAULTS);

    ManyQueuesTest() {
        state.recovered();
    }

    @Slow
    @Test
    void anIdleQueueCostsAboutFiveHundredBytes() {
        long before = usedBytes();
        for (int i = 0; i < QUEUES; i++) {
            apply(
                    QueueKey.of("group", "queue-%06d".formatted(i)),
                    1,
                    0,
                    new ApplyAtom.Put(Pid.of("a"), new Enqueued(DATA, 0, 0)));
        }
        flush();
        state.evict(Long.MAX_VALUE);

        assertThat(state.residentBytes()).as("of the queue in use").isLessThan(1_000);
        assertThat((usedBytes() - before) / QUEUES).as("bytes per idle queue").isLessThan(500);
        assertThat(state.queues().named()).isEqualTo(QUEUES);
    }

    @Test
    void aQueueFullOfLeasesIsDeletedAtOnce() {
        QueueKey queue = QueueKey.of("group", "large");
        List<TaskChange> tasks = new ArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            tasks.add(new ApplyAtom.Lease(Pid.of("%07d".formatted(i)), new Grant(1, 0, 1_000 + i, "", ""), 1, false));
        }
        apply(queue, 0, TASKS, tasks.toArray(TaskChange[]::new));
        flush();

        ApplyAtom deletion = new ApplyAtom(
                state.lastTicket() + 1,
                List.of(new QueueChange(queue, state.lastTicket() + 1, true, Sizes.NONE, FifoPid.NONE, List.of())));
        long startNanos = System.nanoTime();
        state.apply(deletion, 500);
        long tookMillis = (System.nanoTime() - startNanos) / 1_000_000;

        assertThat(state.residentBytes()).isZero();
        state.hints().loaded(TimeHint.FIRST, List.of(), null);
        assertThat(state.nextInstantMillis()).isEqualTo(Long.MAX_VALUE);
        if (Profile.isSlow()) {
            // Deleting the leases one by one would take several times that.
            assertThat(tookMillis).as("milliseconds to delete").isLessThan(100);
        }
    }

    private void apply(QueueKey queue, long available, long leased, TaskChange... tasks) {
        QueueChange change =
                new QueueChange(queue, 1, false, new Sizes(available, leased, 0), FifoPid.NONE, List.of(tasks));
        state.apply(new ApplyAtom(state.lastTicket() + 1, List.of(change)), 0);
    }

    private void flush() {
        FlushRound round = state.takeRound();
        state.tasksFlushed(round.tasks(), 0);
        state.recordsFlushed(round.records());
        state.roundCompleted();
    }

    private static long usedBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
