package io.taskmaster.bench.workload;

import io.taskmaster.bench.load.Measurement;

/** A count of tasks after a load: every acknowledged task must be there, and no more than were sent. */
public final class TaskAudit {

    private TaskAudit() {}

    /**
     * Returns the measurement, with one more error if fewer tasks were found than acknowledged, or more than
     * acknowledged and failed enqueues together account for.
     */
    public static Measurement of(Measurement measurement, long found, long acknowledged, int batch) {
        long uncertain = measurement.errorCount() * batch;
        if (found < acknowledged) {
            return measurement.withError("check: tasks lost, found " + found + " of " + acknowledged);
        }
        if (found > acknowledged + uncertain) {
            return measurement.withError("check: tasks too many, found " + found + " for " + acknowledged);
        }
        return measurement;
    }
}
