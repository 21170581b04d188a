package io.taskmaster.stage.local;

import io.taskmaster.stage.Admission;
import java.util.Map;
import java.util.Optional;

/**
 * What a local stage is doing, at one moment, and has done since it was added. Immutable.
 *
 * @param isPaused whether its workers take no events until it is {@linkplain LocalStage#resume resumed}
 * @param capacity credits; 0: it has no boundary
 * @param waiting credits of the events that wait
 * @param workers that are at work, or were called
 * @param maxWorkers how many of them there may be, at present; while it is paused, as soon as it is resumed
 * @param maxBatch how many events they handle together at most, at present
 * @param done events that were handled
 * @param drops events that were taken and then dropped, by why; every cause is there
 * @param refusals offers that were refused, by why; every cause is there
 * @param degraded events that the other handler got
 * @param spilled events that were sent elsewhere
 * @param limits of its {@linkplain AdmissionControl#limits admission rule}, by name, at present
 * @param lastDrop why an event was last dropped
 */
public record LocalStatus(
        String stage,
        boolean isPaused,
        long capacity,
        long waiting,
        int workers,
        int maxWorkers,
        int maxBatch,
        long done,
        Map<Drop.Cause, Long> drops,
        Map<Admission.Cause, Long> refusals,
        long degraded,
        long spilled,
        Map<String, Double> limits,
        Optional<String> lastDrop) {

    public LocalStatus {
        drops = Map.copyOf(drops);
        refusals = Map.copyOf(refusals);
        limits = Map.copyOf(limits);
    }

    /** How many events were dropped, for whatever cause. */
    public long dropped() {
        return sum(drops);
    }

    /** How many events were dropped for this one. */
    public long dropped(Drop.Cause cause) {
        return drops.getOrDefault(cause, 0L);
    }

    /** How many offers were refused, for whatever cause. */
    public long refused() {
        return sum(refusals);
    }

    /** How many offers were refused for this one. */
    public long refused(Admission.Cause cause) {
        return refusals.getOrDefault(cause, 0L);
    }

    private static long sum(Map<?, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}
