package io.taskmaster.bench.workload;

import io.taskmaster.bench.load.Measurement;

/** Counts after the load is over: what was acknowledged must be there, and no more than was asked for. */
final class Audit {

    private Audit() {}

    /** The measurement, with an error if the tasks found are fewer than acknowledged, or more than those that may be there. */
    static Measurement of(Measurement measurement, long found, long acknowledged, int batch) {
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
