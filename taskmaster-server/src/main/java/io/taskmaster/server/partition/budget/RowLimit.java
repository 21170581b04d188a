package io.taskmaster.server.partition.budget;

import io.taskmaster.command.Command;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.format.RowKeys;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limit of the store on the size of a row key. A request that would need a longer one is refused before it takes
 * effect, since a row that cannot be written would be retried for ever. Immutable.
 */
public final class RowLimit {

    /**
     * The bytes of a row key besides the names and the PID: it takes at most two bytes for each byte of a name and one
     * for each of a PID.
     */
    private static final int OTHER_BYTES = 32;

    /** A PID as long as any that the server assigns. */
    private static final Pid ASSIGNED = Pid.wrap(new byte[16]);

    private final int maxRowBytes;

    public RowLimit(int maxRowBytes) {
        this.maxRowBytes = maxRowBytes;
    }

    /** Returns the reason why a request cannot be served; null if it can. */
    @Nullable
    public TaskMasterException violation(Command command) {
        return switch (command) {
            case Command.Update update -> violation(update);
            case Command.Configure configure
            when exceeds(configure.queue(), Pid.EMPTY) ->
                tooLong(ErrorCode.NAME_TOO_LONG, "group and queue", configure.queue(), Pid.EMPTY);
            default -> null;
        };
    }

    private @Nullable TaskMasterException violation(Command.Update update) {
        List<Command.Enqueue> enqueues = update.enqueues();
        for (int i = 0; i < enqueues.size(); i++) {
            QueueKey queue = new QueueKey(update.group(), enqueues.get(i).queue());
            Pid pid = enqueues.get(i).pid().orElse(ASSIGNED);
            if (exceeds(queue, pid)) {
                return tooLong(ErrorCode.PID_TOO_LONG, "enqueue[" + i + "]: group, queue and pid", queue, pid);
            }
        }
        return null;
    }

    private boolean exceeds(QueueKey queue, Pid pid) {
        int upperBound = 2 * (queue.group().size() + queue.name().size()) + pid.size() + OTHER_BYTES;
        // The bound is cheap, and nearly always enough; the exact length is computed only beyond it.
        return upperBound > maxRowBytes && RowKeys.longestRow(queue, pid) > maxRowBytes;
    }

    private TaskMasterException tooLong(ErrorCode code, String subject, QueueKey queue, Pid pid) {
        String message = "%s: %d bytes as a row key (expected: at most %d in this store)"
                .formatted(subject, RowKeys.longestRow(queue, pid), maxRowBytes);
        return new TaskMasterException(code, message);
    }
}
