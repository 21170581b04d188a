package io.taskmaster.server.engine.decide;

import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Peek;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Peeked;
import io.taskmaster.command.Reply.PeekedTask;
import io.taskmaster.command.Reply.TaskPhase;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Grant;
import io.taskmaster.server.engine.state.CellSet;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.StoredTask;
import io.taskmaster.server.engine.state.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The decision on a peek: tasks in PID order, from memory if all of the queue is there, otherwise from the rows, over
 * which memory takes precedence. Single-threaded: lives for one decision.
 */
final class PeekDecision {

    private final Peek peek;
    private final long nowMillis;
    private final List<PeekedTask> tasks = new ArrayList<>();
    private long bytes;

    private PeekDecision(Peek peek, long nowMillis) {
        this.peek = peek;
        this.nowMillis = nowMillis;
    }

    static Decision decide(PartitionState state, Peek peek, long nowMillis) {
        QueueState queue = state.queue(peek.queue());
        if (queue == null || queue.total() == 0) {
            return new Decision.Done(null, new Peeked(List.of(), Optional.empty()));
        }
        // Every task is in memory then, though perhaps not its data.
        Peeked fromMemory = queue.live() == queue.total() ? fromMemory(queue, peek, nowMillis) : null;
        return fromMemory != null
                ? new Decision.Done(null, fromMemory)
                : new Decision.Waits(List.of(new Decision.Rows(queue.key(), queue.generation(), peek.from())));
    }

    /** Returns the answer from memory; null if some data are not there. */
    private static @Nullable Peeked fromMemory(QueueState queue, Peek peek, long nowMillis) {
        PeekDecision decision = new PeekDecision(peek, nowMillis);
        for (Task task : queue.tasksFrom(peek.from())) {
            if (task.isPresent()) {
                Enqueued data = task.data();
                if (data == null) {
                    return null;
                }
                if (!decision.add(task.pid(), data, task.attempt(), task.grant())) {
                    return decision.until(Optional.of(task.pid()));
                }
            }
        }
        return decision.until(Optional.empty());
    }

    /**
     * Returns the answer from stored rows.
     *
     * @param rows all that are stored from {@link Peek#from} up to the end of the scan
     * @param end where the scan ended; absent: at the end of the queue
     */
    static Peeked fromRows(QueueState queue, Peek peek, List<StoredTask> rows, Optional<Pid> end, long nowMillis) {
        Map<Pid, StoredTask> merged = new TreeMap<>();
        for (StoredTask row : rows) {
            merged.put(row.pid(), row);
        }
        for (Task task : queue.tasksFrom(peek.from())) {
            if (end.isPresent() && task.pid().compareTo(end.get()) >= 0) {
                break;
            }
            // Memory takes precedence: the row leaves the result, whether the task is still there or not.
            StoredTask row = merged.remove(task.pid());
            if (task.isPresent()) {
                Enqueued data = task.data() != null ? task.data() : row == null ? null : row.data();
                if (data != null) {
                    merged.put(
                            task.pid(),
                            new StoredTask(task.pid(), data, task.attempt(), task.grant(), false, null, CellSet.NONE));
                }
            }
        }
        PeekDecision decision = new PeekDecision(peek, nowMillis);
        for (StoredTask row : merged.values()) {
            if (!decision.add(row.pid(), row.data(), row.attempt(), row.grant())) {
                return decision.until(Optional.of(row.pid()));
            }
        }
        return decision.until(end);
    }

    /**
     * Adds a task.
     *
     * @return false if the reply is full
     */
    private boolean add(Pid pid, Enqueued data, int attempt, @Nullable Grant grant) {
        Payload payload = data.payload();
        Payload visible = peek.withData() ? payload : new Payload(Bytes.EMPTY, payload.headers());
        long size = Reply.replyBytesOf(peek.queue(), pid, visible);
        if (tasks.size() == peek.maxTasks() || (!tasks.isEmpty() && bytes + size > peek.maxBytes())) {
            return false;
        }
        bytes += size;
        boolean leased = grant != null && !grant.expiredAt(nowMillis);
        boolean delayed = data.notBeforeMillis() > nowMillis;
        tasks.add(new PeekedTask(
                pid,
                visible,
                payload.data().size(),
                leased ? TaskPhase.LEASED : delayed ? TaskPhase.DELAYED : TaskPhase.AVAILABLE,
                data.enqueuedMillis(),
                leased && grant != null ? grant.expiresMillis() : delayed ? data.notBeforeMillis() : 0,
                attempt));
        return true;
    }

    private Peeked until(Optional<Pid> next) {
        return new Peeked(tasks, next);
    }
}
