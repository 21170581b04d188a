package io.taskmaster.testkit.pipeline;

import io.taskmaster.testkit.virtual.VirtualServer;
import io.taskmaster.testkit.virtual.VirtualTime;
import io.taskmaster.time.Deadlines;
import java.util.random.RandomGenerator.SplittableGenerator;

/** What all processes of a kit share. */
record World(
        VirtualTime time,
        VirtualServer server,
        Journal journal,
        FaultScript script,
        KitSettings settings,
        SplittableGenerator random) {

    /** How long the next message is under way; every one takes some time. */
    long wayNanos() {
        return upTo(Deadlines.nanos(settings.network()), random) + 1;
    }

    static long upTo(long maxNanos, SplittableGenerator random) {
        return maxNanos == 0 ? 0 : random.nextLong(maxNanos);
    }
}
