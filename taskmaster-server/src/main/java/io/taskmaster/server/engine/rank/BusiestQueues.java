package io.taskmaster.server.engine.rank;

import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Reply.Description;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.decide.QueueInspection;
import io.taskmaster.server.engine.index.ActivityIndex;
import io.taskmaster.server.engine.index.EngineState;
import io.taskmaster.server.engine.select.SelectorCache;
import io.taskmaster.server.engine.select.SelectorMatch;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.Queues;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The walk that finds the busiest queues of a partition, some others by name, and the age of the oldest task in each
 * family. It looks only at queues in which something has happened since the walk before, or whose
 * {@link io.taskmaster.command.Verdict} changes with time ({@link ActivityIndex}). It also covers queues that are empty
 * at present, or were forgotten a short while ago. Single-threaded: owned by the partition's loop.
 */
public final class BusiestQueues implements QueueScan<BusiestQueues.Found> {

    /**
     * The result of the walk.
     *
     * @param queues each once, in no order
     * @param oldestMillis the age of the oldest task that may be leased, by family; a family without such a task is
     *     absent
     */
    public record Found(List<Description> queues, Map<FamilyName, Long> oldestMillis) {

        /** The result of a partition that does not serve. */
        public static final Found EMPTY = new Found(List.of(), Map.of());

        public Found {
            queues = List.copyOf(queues);
            oldestMillis = Map.copyOf(oldestMillis);
        }

        /** Returns the sum over several partitions. */
        public static Found sum(Collection<Found> parts) {
            Map<FamilyName, Long> oldest = new HashMap<>();
            parts.forEach(part -> part.oldestMillis.forEach((family, age) -> oldest.merge(family, age, Math::max)));
            return new Found(
                    parts.stream().flatMap(part -> part.queues.stream()).toList(), oldest);
        }
    }

    private record Candidate(boolean isPreferred, double mark, Description queue) {

        private static final Comparator<Candidate> BUSIEST_FIRST = Comparator.comparing(Candidate::isPreferred)
                .thenComparingDouble(Candidate::mark)
                .reversed()
                .thenComparing(candidate -> candidate.queue.summary().queue());
    }

    private final ActivityIndex.Question question;
    private final Set<QueueKey> named;
    private final long nowMillis;
    private final Map<QueueKey, Description> queues = new LinkedHashMap<>();
    private final Map<FamilyName, Long> oldest = new HashMap<>();

    /** The first slot that has not been looked at. */
    private int next;

    /**
     * @param question the parameters; other ones than before cost a look at every queue
     * @param named queues that are returned in any case, if they are there
     * @param nowMillis the time, for rates and ages
     */
    public BusiestQueues(ActivityIndex.Question question, Set<QueueKey> named, long nowMillis) {
        this.question = question;
        this.named = named;
        this.nowMillis = nowMillis;
    }

    @Override
    public Optional<Selector> selector() {
        return question.preferred();
    }

    /** Returns true: the selector is a setting of the operator. */
    @Override
    public boolean isOfTheNode() {
        return true;
    }

    @Override
    public boolean scanSlice(EngineState engine) {
        Queues all = engine.partition().queues();
        SelectorCache selectors = engine.selectors();
        ActivityIndex activity = engine.activity();
        activity.setQuestion(question, all);
        Optional<SelectorMatch> preferred = question.preferred().map(selectors::of);
        int remainingSteps = SLICE_STEPS;
        for (int slot = activity.nextMarked(next); slot >= 0; slot = activity.nextMarked(next)) {
            if (remainingSteps <= 0) {
                return false;
            }
            QueueState queue = Objects.requireNonNull(all.at(slot));
            remainingSteps -= 1 + queue.unseenForOldest() / TASKS_PER_STEP;
            activity.refresh(queue, preferred, nowMillis);
            next = slot + 1;
        }
        for (QueueState queue = activity.nextDue(nowMillis); queue != null; queue = activity.nextDue(nowMillis)) {
            if (remainingSteps-- <= 0) {
                return false;
            }
            activity.refresh(queue, preferred, nowMillis);
        }
        end(all, selectors, activity);
        return true;
    }

    private void end(Queues all, SelectorCache selectors, ActivityIndex activity) {
        List<Candidate> candidates = new ArrayList<>();
        activity.topQueues()
                .all()
                .forEach(leader -> candidates.add(new Candidate(
                        leader.isPreferred(), leader.mark(), QueueInspection.describe(leader.queue(), 0, nowMillis))));
        all.removedQueueStats().forEach((key, rates) -> {
            Description removed = QueueInspection.describe(key, rates, nowMillis);
            candidates.add(new Candidate(
                    question.preferred()
                            .filter(selector -> selectors.certainlyChooses(selector, key))
                            .isPresent(),
                    rates.operationsMark(),
                    removed));
            if (named.contains(key)) {
                queues.put(key, removed);
            }
        });
        for (QueueKey key : named) {
            QueueState queue = all.get(key);
            if (queue != null) {
                queues.put(key, QueueInspection.describe(queue, 0, nowMillis));
            }
        }
        candidates.stream()
                .sorted(Candidate.BUSIEST_FIRST)
                .limit(question.max())
                .forEach(candidate ->
                        queues.putIfAbsent(candidate.queue.summary().queue(), candidate.queue));
        activity.forEachOldest(
                (family, sinceMillis) -> oldest.merge(family.name(), Math.max(0, nowMillis - sinceMillis), Math::max));
    }

    @Override
    public Found found() {
        return new Found(List.copyOf(queues.values()), oldest);
    }
}
