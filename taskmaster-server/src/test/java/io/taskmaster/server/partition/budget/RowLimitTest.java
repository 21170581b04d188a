package io.taskmaster.server.partition.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.format.RowKeys;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RowLimitTest {

    private static final QueueKey QUEUE = QueueKey.of("group", "queue");
    private static final int NAMES_BYTES = RowKeys.longestRow(QUEUE, Pid.EMPTY);

    private static final Command.Payload NOTHING = new Command.Payload(Bytes.EMPTY, Map.of());

    private final RowLimit limit = new RowLimit(NAMES_BYTES + 100);

    @Test
    void taskWhoseRowFitsIsFineToTheLastByte() {
        assertThat(limit.violation(enqueue(100))).isNull();
        assertThat(limit.violation(enqueue(101)))
                .isInstanceOfSatisfying(
                        TaskMasterException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.PID_TOO_LONG))
                .hasMessage(
                        "enqueue[0]: group, queue and pid: %d bytes as a row key (expected: at most %d in this store)"
                                .formatted(NAMES_BYTES + 101, NAMES_BYTES + 100));
    }

    @Test
    void namesAloneMayBeTooLong() {
        Command configure = new Command.Configure(QueueKey.of("group", "q".repeat(106)), QueueOptions.NONE);

        assertThat(limit.violation(configure))
                .isInstanceOfSatisfying(
                        TaskMasterException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.NAME_TOO_LONG));
    }

    @Test
    void pidThatIsNotAssignedYetHasItsPlace() {
        RowLimit tight = new RowLimit(NAMES_BYTES + 1);

        assertThat(tight.violation(update(Optional.empty()))).isNotNull();
        assertThat(limit.violation(update(Optional.empty()))).isNull();
    }

    private static Command enqueue(int pidBytes) {
        return update(Optional.of(Pid.of("p".repeat(pidBytes))));
    }

    private static Command update(Optional<Pid> pid) {
        Command.Enqueue enqueue = new Command.Enqueue(QUEUE.name(), pid, NOTHING, Command.IfExists.COLLAPSE, 0);
        return new Command.Update(QUEUE.group(), List.of(enqueue), List.of(), List.of(), List.of());
    }
}
