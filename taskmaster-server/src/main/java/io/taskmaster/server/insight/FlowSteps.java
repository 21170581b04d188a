package io.taskmaster.server.insight;

import io.taskmaster.command.Counts;
import io.taskmaster.model.FamilyName;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The differences between successive snapshots of the flow. Single-threaded: owned by the {@link Recorder}.
 *
 * <p>Counts only grow, with two exceptions. A reopened partition counts from zero: negative differences count as zero.
 * And when queues are regrouped into other families, the former families leave their counts to
 * {@link FamilyName#OTHERS}, where they did not occur in this step: what the families lose is subtracted there.
 */
final class FlowSteps {

    /**
     * The difference of two snapshots. Immutable.
     *
     * @param all all queues together
     * @param families the families that exist at its end
     */
    record Step(Point all, Map<FamilyName, Point> families) {}

    private @Nullable FlowSnapshot former;

    /**
     * Returns the difference to the previous snapshot; empty for the first one.
     *
     * @param oldestMillis the age of the oldest tasks, of families that have any
     * @param idle the point of a family without any activity
     */
    Optional<Step> next(FlowSnapshot now, Map<FamilyName, Long> oldestMillis, Point idle) {
        FlowSnapshot before = former;
        former = now;
        return before == null ? Optional.empty() : Optional.of(between(before, now, oldestMillis, idle));
    }

    private static Step between(FlowSnapshot before, FlowSnapshot now, Map<FamilyName, Long> oldestMillis, Point idle) {
        Map<FamilyName, Counts> deltas = deltas(before, now);
        Map<FamilyName, Point> families = new HashMap<>();
        for (FlowSnapshot.Node family : now.nodes()) {
            Counts delta = deltas.getOrDefault(family.name(), Counts.NONE);
            families.put(family.name(), point(family, oldestMillis.getOrDefault(family.name(), 0L), delta, idle));
        }
        FlowSnapshot.Node all = now.total();
        long oldest = oldestMillis.values().stream().reduce(0L, Math::max);
        return new Step(point(all, oldest, all.counts().minus(before.total().counts()), idle), families);
    }

    private static Map<FamilyName, Counts> deltas(FlowSnapshot before, FlowSnapshot now) {
        Map<FamilyName, Counts> deltas = new HashMap<>();
        now.nodes().forEach(family -> deltas.put(family.name(), family.counts()));
        before.nodes().forEach(family -> deltas.merge(family.name(), Counts.NONE.minus(family.counts()), Counts::plus));
        Counts lost = deltas.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(FamilyName.OTHERS))
                .map(entry -> entry.getValue().lost())
                .reduce(Counts.NONE, Counts::plus);
        deltas.computeIfPresent(FamilyName.OTHERS, (_, gained) -> gained.plus(lost));
        return deltas;
    }

    private static Point point(FlowSnapshot.Node queues, long oldestMillis, Counts deltas, Point idle) {
        Counts gained = deltas.gained();
        return new Point(
                idle.atMillis(),
                idle.spanMillis(),
                queues.available(),
                queues.leased(),
                queues.delayed(),
                oldestMillis,
                gained.enqueued(),
                gained.leases(),
                gained.dequeued(),
                gained.expired());
    }
}
