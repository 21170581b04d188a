package io.taskmaster.server.engine;

import io.taskmaster.model.FamilyName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.Command.Selector;
import io.taskmaster.server.engine.Reply.Description;
import io.taskmaster.server.engine.flow.Family;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a partition in which most goes on, some others that are asked for by name, and how old tasks are in the families of all. As a {@link Ranking} it keeps the best
 * so far in a heap; it also sees queues that are empty at present, or forgotten a short while ago. Single-threaded: owned by the partition's loop.
 */
public final class Busiest implements Walk<Busiest.Found> {

    /**
     * What is asked.
     *
     * @param max how many queues, beside those that are named
     * @param preferred queues that come before all others; nobody: none does
     */
    public record Question(int max, Optional<Selector> preferred) {}

    /**
     * What is found.
     *
     * @param queues each once, in no order
     * @param oldestMillis how old the oldest task that may be leased is, by family; none in a family that is not there
     */
    public record Found(List<Description> queues, Map<FamilyName, Long> oldestMillis) {

        /** Of a partition that does not serve. */
        public static final Found NOTHING = new Found(List.of(), Map.of());

        public Found {
            queues = List.copyOf(queues);
            oldestMillis = Map.copyOf(oldestMillis);
        }

        /** Of several partitions. */
        public static Found sum(Collection<Found> parts) {
            Map<FamilyName, Long> oldest = new HashMap<>();
            parts.forEach(part -> part.oldestMillis.forEach((family, age) -> oldest.merge(family, age, Math::max)));
            return new Found(
                    parts.stream().flatMap(part -> part.queues.stream()).toList(), oldest);
        }
    }

    private record Candidate(boolean isPreferred, double mark, Description queue) {

        private static final Comparator<Candidate> IDLEST_FIRST = Comparator.comparing(Candidate::isPreferred)
                .thenComparingDouble(Candidate::mark)
                .thenComparing(candidate -> candidate.queue.summary().queue(), Comparator.reverseOrder());

        boolean givesWayTo(boolean isOtherPreferred, double otherMark) {
            return isOtherPreferred == isPreferred ? otherMark > mark : isOtherPreferred;
        }
    }

    private final Question question;
    private final Set<QueueKey> named;
    private final long nowMillis;
    private final PriorityQueue<Candidate> best = new PriorityQueue<>(Candidate.IDLEST_FIRST);
    private final Map<QueueKey, Description> asked = new LinkedHashMap<>();
    private final IdentityHashMap<Family, Long> oldest = new IdentityHashMap<>();

    /** Where the walk stands; null: it has not begun. */
    private @Nullable QueueKey walked;

    /**
     * @param named queues that are found in any case, if they are there
     * @param nowMillis for rates and ages
     */
    public Busiest(Question question, Set<QueueKey> named, long nowMillis) {
        this.question = question;
        this.named = named;
        this.nowMillis = nowMillis;
    }

    @Override
    public boolean walkOn(PartitionState state) {
        Optional<Choice> preferred = question.preferred.map(state.queues().choices()::of);
        NavigableMap<QueueKey, QueueState> all = state.queues().ordered();
        int stepsLeft = SLICE_STEPS;
        for (QueueState queue : (walked == null ? all : all.tailMap(walked, false)).values()) {
            stepsLeft -= 1 + queue.unseenForOldest() / TASKS_PER_STEP;
            take(queue, preferred.isPresent() && preferred.get().chooses(queue));
            if (stepsLeft <= 0) {
                walked = queue.key;
                return false;
            }
        }
        end(state.queues());
        return true;
    }

    private void take(QueueState queue, boolean isPreferred) {
        long sinceMillis = queue.oldestReadyMillis();
        if (sinceMillis != Long.MAX_VALUE) {
            oldest.merge(queue.family, sinceMillis, Math::min);
        }
        double mark = queue.rates.deedsMark();
        if ((queue.total() > 0 || mark > Double.NEGATIVE_INFINITY) && makeRoomFor(isPreferred, mark)) {
            best.add(new Candidate(isPreferred, mark, Introspection.describe(queue, 0, nowMillis)));
        }
    }

    /** What the walk did not come by. */
    private void end(Queues queues) {
        queues.departed().forEach((key, rates) -> {
            boolean isPreferred =
                    question.preferred.filter(selector -> selector.chooses(key)).isPresent();
            double mark = rates.deedsMark();
            Description description = Introspection.describe(key, rates, nowMillis);
            if (makeRoomFor(isPreferred, mark)) {
                best.add(new Candidate(isPreferred, mark, description));
            }
            if (named.contains(key)) {
                asked.put(key, description);
            }
        });
        for (QueueKey key : named) {
            QueueState queue = queues.get(key);
            if (queue != null) {
                asked.put(key, Introspection.describe(queue, 0, nowMillis));
            }
        }
    }

    /** Whether there is room for one of whom so much is known. */
    private boolean makeRoomFor(boolean isPreferred, double mark) {
        if (best.size() < question.max) {
            return true;
        }
        Candidate idlest = best.peek();
        if (idlest == null || !idlest.givesWayTo(isPreferred, mark)) {
            return false;
        }
        best.remove();
        return true;
    }

    @Override
    public Found found() {
        Map<QueueKey, Description> queues = new LinkedHashMap<>();
        best.forEach(candidate -> queues.put(candidate.queue.summary().queue(), candidate.queue));
        queues.putAll(asked);
        Map<FamilyName, Long> ages = new HashMap<>();
        oldest.forEach(
                (family, sinceMillis) -> ages.merge(family.name(), Math.max(0, nowMillis - sinceMillis), Math::max));
        return new Found(List.copyOf(queues.values()), ages);
    }
}
