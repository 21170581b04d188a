package io.taskmaster.stage.local;

import io.taskmaster.stage.Admission;
import io.taskmaster.stage.local.admission.AdmissionCheck;
import java.util.Map;
import java.util.Optional;

/**
 * The status of a local stage at one moment, and its counts since it was added. Immutable.
 *
 * @param isPaused whether its workers take no events until it is {@linkplain LocalStage#resume resumed}
 * @param capacity the credits of its queue; 0: it has no boundary
 * @param waiting the credits of the events that wait
 * @param workers the workers that are at work or were called
 * @param maxWorkers the most workers at present; in a paused stage, as soon as it is resumed
 * @param maxBatch the most events in a batch at present
 * @param done the number of events that were handled
 * @param drops the events that were taken and then dropped, by cause; every cause has a count
 * @param refusals the offers that were refused, by cause; every cause has a count
 * @param degraded the events that the other handler got
 * @param spilled the events that were spilled
 * @param limits the current limits of its {@linkplain AdmissionCheck#limits admission rule}, by name
 * @param lastDrop the text of the latest drop
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

    /** The number of events that were dropped, for any cause. */
    public long dropped() {
        return sum(drops);
    }

    /** The number of events that were dropped for this cause. */
    public long dropped(Drop.Cause cause) {
        return drops.getOrDefault(cause, 0L);
    }

    /** The number of offers that were refused, for any cause. */
    public long refused() {
        return sum(refusals);
    }

    /** The number of offers that were refused for this cause. */
    public long refused(Admission.Cause cause) {
        return refusals.getOrDefault(cause, 0L);
    }

    private static long sum(Map<?, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}
