package io.taskmaster.server.engine.index;

import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Verdict;
import io.taskmaster.server.engine.flow.Family;
import io.taskmaster.server.engine.select.SelectorMatch;
import io.taskmaster.server.engine.state.QueueObserver;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.Queues;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The busiest queues and the age of tasks in each family, as of the last look at each queue. A queue in which nothing
 * has happened since needs no other look: events mark their queue, and {@code BusiestQueues} looks at those that are
 * marked. Single-threaded: owned by the partition's loop.
 */
public final class ActivityIndex implements QueueObserver {

    /**
     * The parameters of the walk.
     *
     * @param max the number of queues, beside those that are named
     * @param preferred queues that come before all others; empty: none does
     */
    public record Question(int max, Optional<Selector> preferred) {}

    /** The queues to be looked at, by slot. */
    private final BitSet marked = new BitSet();

    /** The entries of the queues among the ages of their families, by slot; null where there is none. */
    private final List<@Nullable OldestTask> waiting = new ArrayList<>();

    private final IdentityHashMap<Family, OldestTaskHeap> oldest = new IdentityHashMap<>();
    private final UnattendedWatch unattendedWatch = new UnattendedWatch();
    private @Nullable Question question;
    private TopQueues topQueues = new TopQueues(0);

    /** @param queues those that are there already are to be looked at, as all that come */
    public ActivityIndex(Queues queues) {
        queues.all().forEach(this::active);
        queues.observe(this);
    }

    /** Sets the question. If it differs from the one before, all queues are to be looked at. */
    public void setQuestion(Question newQuestion, Queues queues) {
        if (!newQuestion.equals(question)) {
            question = newQuestion;
            topQueues = new TopQueues(newQuestion.max());
            queues.all().forEach(this::active);
        }
    }

    /** Marks a queue, which has a slot: something has happened in it. */
    @Override
    public void active(QueueState queue) {
        marked.set(queue.slot());
    }

    /** Returns the first slot at or behind a slot whose queue is to be looked at; negative: there is none. */
    public int nextMarked(int slot) {
        return marked.nextSetBit(slot);
    }

    /** Looks at a queue. */
    public void refresh(QueueState queue, Optional<SelectorMatch> preferred, long nowMillis) {
        marked.clear(queue.slot());
        unattendedWatch.refresh(queue, nowMillis);
        long sinceMillis = queue.oldestReadyMillis();
        if (sinceMillis == Long.MAX_VALUE) {
            removeOldest(queue);
        } else {
            heapOf(queue.family()).put(waitingIn(queue.slot()), sinceMillis);
        }
        if (queue.total() > 0 || queue.rates().operationsMark() > Double.NEGATIVE_INFINITY) {
            topQueues.put(queue, preferred.isPresent() && preferred.get().chooses(queue));
        } else {
            topQueues.remove(queue);
        }
    }

    /** Returns a queue whose verdict changes because time has passed; null: there is none. */
    @Nullable
    public QueueState nextDue(long nowMillis) {
        return unattendedWatch.nextDue(nowMillis);
    }

    @Override
    public void removing(QueueState queue) {
        marked.clear(queue.slot());
        unattendedWatch.remove(queue);
        removeOldest(queue);
        topQueues.remove(queue);
    }

    @Override
    public void moving(QueueState queue, Family to) {
        unattendedWatch.move(queue, to);
        // The queue is still in its old family, out of whose heap this takes it.
        OldestTask entry = removeOldest(queue);
        if (entry != null) {
            waiting.set(queue.slot(), entry);
            heapOf(to).put(entry, entry.sinceMillis);
        }
    }

    /** Returns the verdict on a queue, as of the last look. */
    public Verdict verdict(QueueState queue) {
        return unattendedWatch.verdict(queue);
    }

    /** Returns the entry of the queue in a slot; a new one if there is none. */
    private OldestTask waitingIn(int slot) {
        while (waiting.size() <= slot) {
            waiting.add(null);
        }
        OldestTask entry = waiting.get(slot);
        if (entry == null) {
            entry = new OldestTask();
            waiting.set(slot, entry);
        }
        return entry;
    }

    private OldestTaskHeap heapOf(Family family) {
        return oldest.computeIfAbsent(family, _ -> new OldestTaskHeap());
    }

    /** Takes the entry of a queue out of the ages of its family and returns it; null: it had none. */
    private @Nullable OldestTask removeOldest(QueueState queue) {
        OldestTask entry = queue.slot() < waiting.size() ? waiting.set(queue.slot(), null) : null;
        if (entry != null) {
            OldestTaskHeap heap = heapOf(queue.family());
            heap.remove(entry);
            if (heap.isEmpty()) {
                oldest.remove(queue.family());
            }
        }
        return entry;
    }

    public TopQueues topQueues() {
        return topQueues;
    }

    /**
     * Passes the time at which the oldest task of each family was enqueued; nothing for those in which nothing may be
     * leased.
     */
    public void forEachOldest(ObjLongConsumer<Family> action) {
        oldest.forEach((family, heap) -> action.accept(family, heap.oldestMillis()));
    }
}
