package io.taskmaster.testkit.pipeline;

import io.taskmaster.testkit.pipeline.fault.PipelineFaults;
import io.taskmaster.testkit.virtual.VirtualServer;
import io.taskmaster.testkit.virtual.VirtualTime;
import io.taskmaster.time.Deadlines;
import java.util.random.RandomGenerator.SplittableGenerator;

/** The simulated cluster that all processes of a kit share. */
record KitEnvironment(
        VirtualTime time,
        VirtualServer server,
        KitJournal kitJournal,
        PipelineFaults script,
        KitSettings settings,
        SplittableGenerator random) {

    /** Returns the time that the next message takes: at least 1 ns. */
    long networkDelayNanos() {
        return upTo(Deadlines.nanos(settings.network()), random) + 1;
    }

    static long upTo(long maxNanos, SplittableGenerator random) {
        return maxNanos == 0 ? 0 : random.nextLong(maxNanos);
    }
}
