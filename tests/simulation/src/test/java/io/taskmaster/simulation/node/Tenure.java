package io.taskmaster.simulation.node;

import io.taskmaster.simulation.world.Holder;
import io.taskmaster.simulation.world.OwnerProcess;
import java.util.SortedSet;

/** An epoch of one partition in a process that owns several. Immutable, but for its process. */
final class Tenure implements Holder {

    private final OwnerProcess process;
    private final int partition;
    private final long epoch;

    Tenure(OwnerProcess process, int partition, long epoch) {
        this.process = process;
        this.partition = partition;
        this.epoch = epoch;
    }

    OwnerProcess process() {
        return process;
    }

    @Override
    public String name() {
        return process.name() + " with " + partition + " in " + epoch;
    }

    @Override
    public long earliestMillis(long fromMicros, long toMicros) {
        return process.earliestMillis(fromMicros, toMicros);
    }

    @Override
    public long latestMillis(long micros) {
        return process.latestMillis(micros);
    }

    @Override
    public SortedSet<Long> activeMillis(long from, long to) {
        return process.activeMillis(from, to);
    }

    @Override
    public long lastSeenMicros() {
        return process.lastSeenMicros();
    }
}
