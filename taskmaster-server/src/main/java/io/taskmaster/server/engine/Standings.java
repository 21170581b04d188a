package io.taskmaster.server.engine;

import io.taskmaster.server.engine.Busiest.Question;
import io.taskmaster.server.engine.flow.Family;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The busiest queues and the age of tasks in each family, as of the last look at each queue. A queue in which nothing
 * has happened since needs no other look: events mark their queue, and {@link Busiest} looks at those that are marked.
 * Single-threaded: owned by {@link Queues}.
 */
final class Standings {

    /** The queues to be looked at, by slot. */
    private final BitSet marked = new BitSet();

    private final IdentityHashMap<Family, OldestFirst> oldest = new IdentityHashMap<>();
    private final Vigil vigil = new Vigil();
    private @Nullable Question question;
    private Leaders leaders = new Leaders(0);

    /** Sets the question. If it differs from the one before, all queues are to be looked at. */
    void ask(Question asked, Queues queues) {
        if (!asked.equals(question)) {
            question = asked;
            leaders = new Leaders(asked.max());
            queues.all().forEach(this::mark);
        }
    }

    /** Marks a queue, which has a slot: something has happened in it. */
    void mark(QueueState queue) {
        if (!queue.isMarked) {
            queue.isMarked = true;
            marked.set(queue.slot);
        }
    }

    /** Returns the first slot at or behind a slot whose queue is to be looked at; negative: there is none. */
    int nextMarked(int slot) {
        return marked.nextSetBit(slot);
    }

    /** Looks at a queue. */
    void look(QueueState queue, Optional<Choice> preferred, long nowMillis) {
        unmark(queue);
        vigil.look(queue, nowMillis);
        long sinceMillis = queue.oldestReadyMillis();
        Waiting waiting = queue.waiting();
        if (waiting == null || sinceMillis == Long.MAX_VALUE) {
            takeOut(queue);
        } else {
            ages(queue.family).put(waiting, sinceMillis);
        }
        if (queue.total() > 0 || queue.rates.deedsMark() > Double.NEGATIVE_INFINITY) {
            leaders.put(queue, preferred.isPresent() && preferred.get().chooses(queue));
        } else {
            leaders.remove(queue);
        }
    }

    /** Returns a queue whose verdict changes because time has passed; null: there is none. */
    @Nullable
    QueueState nextDue(long nowMillis) {
        return vigil.nextDue(nowMillis);
    }

    /** Removes a queue that is forgotten and still has its slot. */
    void removed(QueueState queue) {
        unmark(queue);
        vigil.letGo(queue);
        takeOut(queue);
        leaders.remove(queue);
    }

    /** Moves a queue that is about to belong to another family. */
    void moves(QueueState queue, Family to) {
        vigil.moves(queue, to);
        Waiting waiting = queue.waiting();
        if (waiting != null && waiting.hasPlace()) {
            takeOut(queue);
            ages(to).put(waiting, waiting.sinceMillis);
        }
    }

    private void unmark(QueueState queue) {
        queue.isMarked = false;
        marked.clear(queue.slot);
    }

    private OldestFirst ages(Family family) {
        return oldest.computeIfAbsent(family, _ -> new OldestFirst());
    }

    private void takeOut(QueueState queue) {
        Waiting waiting = queue.waiting();
        if (waiting != null && waiting.hasPlace()) {
            OldestFirst ages = ages(queue.family);
            ages.remove(waiting);
            if (ages.isEmpty()) {
                oldest.remove(queue.family);
            }
        }
    }

    Leaders leaders() {
        return leaders;
    }

    /**
     * Passes the time at which the oldest task of each family was enqueued; nothing for those in which nothing may be
     * leased.
     */
    void forEachOldest(ObjLongConsumer<Family> action) {
        oldest.forEach((family, ages) -> action.accept(family, ages.oldestMillis()));
    }
}
