package io.taskmaster.testkit.oracle.model;

import com.google.protobuf.ByteString;
import io.taskmaster.testkit.oracle.model.Effect.Result;
import io.taskmaster.testkit.oracle.model.Effect.SeenAbsent;
import io.taskmaster.testkit.oracle.model.Effect.Updated;
import io.taskmaster.testkit.oracle.model.Element.Dequeuing;
import io.taskmaster.testkit.oracle.model.Element.Enqueuing;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Deleting;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Drained;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Peeking;
import io.taskmaster.v1.IfExists;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.PeekedTask;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;

/**
 * Projection of absence: adds to each task the peeks that prove that it is not in its queue, and the drain at the end
 * of the history.
 *
 * <p>Peeks are swept in the order of their invocation. A peek concerns only tasks that were enqueued, and not certainly
 * removed, before it. Stateless.
 */
public final class Absences {

    /**
     * The time during which a task may be in its queue. Absence from a peek is evidence only within it.
     *
     * @param from {@link Span#FAR} if no operation enqueues it
     * @param until {@link Span#FAR} if it may still be there
     */
    public record Life(KeyHistory key, long from, long until) {}

    private Absences() {}

    static void project(Operations operations, Projection projection, boolean endsWithDrain) {
        Map<QueueId, List<Peeking>> peeks = new HashMap<>();
        for (Peeking peek : operations.peeks) {
            QueueId queue =
                    new QueueId(peek.request().getGroup(), peek.request().getQueue());
            peeks.computeIfAbsent(queue, any -> new ArrayList<>()).add(peek);
        }
        peeks.forEach((id, list) -> sweep(projection.queue(id), list));
        if (endsWithDrain) {
            drain(operations, projection);
        }
    }

    private static void drain(Operations operations, Projection projection) {
        Drained end = Drained.after(operations.endMicros);
        for (QueueHistory queue : projection.queues.values()) {
            for (KeyHistory key : queue.keys) {
                // Where the end of a task is known already, the drain proves nothing new.
                if (life(queue, key).until == Span.FAR) {
                    key.add(new KeyOperation(end.span(), new SeenAbsent(), end));
                }
            }
        }
    }

    private static void sweep(QueueHistory queue, List<Peeking> peeks) {
        List<Life> lives = new ArrayList<>(queue.keys.size());
        for (KeyHistory key : queue.keys) {
            Life life = life(queue, key);
            if (life.from != Span.FAR) {
                lives.add(life);
            }
        }
        lives.sort(Comparator.comparingLong(Life::from));
        peeks.sort(Comparator.comparingLong(peek -> peek.span().from()));
        TreeMap<ByteString, Life> present = new TreeMap<>(QueueHistory.PID_ORDER);
        PriorityQueue<Life> byUntil = new PriorityQueue<>(Comparator.comparingLong(Life::until));
        int begun = 0;
        for (Peeking peek : peeks) {
            // A life is active once it may have begun by the completion of the peek. It is retired only if the task is
            // gone before the peek was invoked: in between, absence is evidence that the search has to explain.
            for (; begun < lives.size() && lives.get(begun).from <= peek.span().until(); begun++) {
                present.put(lives.get(begun).key.key().pid(), lives.get(begun));
                byUntil.add(lives.get(begun));
            }
            while (!byUntil.isEmpty() && byUntil.peek().until < peek.span().from()) {
                present.remove(byUntil.remove().key.key().pid());
            }
            check(peek, present);
        }
    }

    private static void check(Peeking peek, NavigableMap<ByteString, Life> present) {
        PeekRequest request = peek.request();
        Set<ByteString> shownPids = new HashSet<>();
        for (PeekedTask task : peek.reply().getTasksList()) {
            shownPids.add(task.getPid());
        }
        ByteString end = peek.reply().getNextPid();
        for (Map.Entry<ByteString, Life> entry :
                present.tailMap(request.getFromPid(), true).entrySet()) {
            if (!end.isEmpty() && QueueHistory.PID_ORDER.compare(entry.getKey(), end) >= 0) {
                return;
            }
            if (!shownPids.contains(entry.getKey())) {
                entry.getValue().key.add(new KeyOperation(peek.span(), new SeenAbsent(), peek));
            }
        }
    }

    /**
     * Returns the life of a task. It ends with the first known dequeue or deletion that was invoked after every enqueue
     * had completed. A task with an enqueue of {@code RERUN} ends only with a deletion, since a dequeue may leave its
     * follower.
     */
    public static Life life(QueueHistory queue, KeyHistory key) {
        long from = Span.FAR;
        long enqueued = Long.MIN_VALUE;
        boolean rerun = false;
        for (KeyOperation operation : key.operations()) {
            if (operation.effect() instanceof Updated updated && updated.result() != Result.REFUSED) {
                for (Element element : updated.elements()) {
                    if (element instanceof Enqueuing enqueuing) {
                        from = Math.min(from, operation.span().from());
                        enqueued = Math.max(enqueued, operation.span().until());
                        rerun |= enqueuing.ifExists() == IfExists.RERUN;
                    }
                }
            }
        }
        long until = Span.FAR;
        for (KeyOperation operation : key.operations()) {
            if (!rerun
                    && operation.span().from() > enqueued
                    && operation.effect() instanceof Updated updated
                    && updated.result() == Result.SUCCESS
                    && updated.elements().getLast() instanceof Dequeuing) {
                until = Math.min(until, operation.span().until());
            }
        }
        for (Deleting delete : queue.deletes) {
            if (delete.span().from() > enqueued) {
                until = Math.min(until, delete.span().until());
            }
        }
        return new Life(key, from, until);
    }
}
