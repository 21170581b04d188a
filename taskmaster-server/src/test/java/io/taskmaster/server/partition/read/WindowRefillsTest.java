package io.taskmaster.server.partition.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.partition.SlowStorePartition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of the order in which queues are refilled, on a store that performs operations when the test says so. */
final class WindowRefillsTest {

    private static final int MANY = 4 * WindowRefills.AT_ONCE;

    private final SlowStorePartition slow = new SlowStorePartition(1 << 20, 10);

    @Test
    void aQueueIsReadOnBesideManyOfAnotherGroup() {
        for (int i = 0; i < MANY; i++) {
            enqueue("many", "q" + i);
        }
        enqueue("lone", "q");
        slow.everythingLands();
        slow.reopen();
        slow.replies.clear();
        for (int i = 0; i < MANY; i++) {
            lease("many", "q" + i);
        }
        lease("lone", "q");
        slow.everythingLands();

        assertThat(slow.replies).hasSize(MANY + 1).noneMatch(line -> line.contains(":"));
        assertThat(slow.replies.indexOf("lone q")).isBetween(WindowRefills.AT_ONCE - 1, 2 * WindowRefills.AT_ONCE);
    }

    @Test
    void noMoreAreUnderWayThanMayBe() {
        for (int i = 0; i < MANY; i++) {
            enqueue("many", "q" + i);
        }
        slow.everythingLands();
        slow.reopen();
        for (int i = 0; i < MANY; i++) {
            lease("many", "q" + i);
        }

        assertThat(slow.inStore()).isBetween(WindowRefills.AT_ONCE, WindowRefills.AT_ONCE + 1);
    }

    private void enqueue(String group, String queue) {
        Command.Payload payload = new Command.Payload(Bytes.of("x"), Map.of());
        Command.Enqueue enqueue = new Command.Enqueue(
                QueueKey.of(group, queue).name(), Optional.of(Pid.of("a")), payload, Command.IfExists.COLLAPSE, 0);
        slow.submit(
                queue,
                new Command.Update(GroupName.of(group), List.of(enqueue), List.of(), List.of(), List.of()),
                false);
        slow.everythingLands();
    }

    private void lease(String group, String queue) {
        Command.Selector selector = Command.Selector.of(QueueKey.of(group, queue));
        slow.submit(
                group + " " + queue,
                new Command.Lease(selector, 1, 1000, 60_000, Optional.empty(), 0, 0, "worker", "address"),
                false);
    }
}
