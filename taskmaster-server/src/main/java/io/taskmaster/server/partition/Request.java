package io.taskmaster.server.partition;

import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.engine.Command;
import io.taskmaster.server.engine.Task;
import io.taskmaster.server.partition.Node.ReplySink;
import java.util.ArrayList;
import java.util.List;

/** A command on its way through a partition. Single-threaded: owned by the partition's loop. */
final class Request {

    final Command command;
    final ReplySink sink;

    /** The order of arrival. */
    final long number;

    /** When a long poll ends. */
    final long deadlineMillis;

    /** How many reads it is parked on. */
    int awaited;

    /** It has its answer. */
    boolean over;

    /** Whether it waits until all is counted that has run out by now. */
    boolean onTime = true;

    /** Entries that were read for it, and stay until it is decided. */
    final List<Task> pinned = new ArrayList<>(0);

    Request(Command command, ReplySink sink, long number, long nowMillis) {
        this.command = command;
        this.sink = sink;
        this.number = number;
        this.deadlineMillis = command instanceof Command.Lease lease ? nowMillis + lease.waitMillis() : nowMillis;
    }

    /** Tells the caller, unless he has his answer. */
    void fail(TaskMasterException error) {
        if (!over) {
            over = true;
            sink.fail(error);
        }
    }

    boolean isLongPoll() {
        return command instanceof Command.Lease lease && lease.waitMillis() > 0;
    }
}
