package io.taskmaster.server.insight;

import io.taskmaster.server.engine.flow.FlowSnapshot;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The snapshots of the flow of the last minute, with which a new one is compared. Single-threaded: owned by the
 * {@link Recorder}.
 */
final class LastMinute {

    /** The number of snapshots in a minute, one more than its steps. */
    private static final int MAX_SAMPLES = 7;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final ArrayDeque<Look> samples = new ArrayDeque<>(MAX_SAMPLES);

    private record Look(FlowSnapshot flow, long nanos) {}

    void add(FlowSnapshot flow, long nanos) {
        if (samples.size() == MAX_SAMPLES) {
            samples.removeFirst();
        }
        samples.addLast(new Look(new FlowSnapshot(flow.nodes(), List.of()), nanos));
    }

    /** Returns the findings on the current flow. */
    List<FlowFinding> findings(FlowSnapshot now, long nanos) {
        Look first = samples.isEmpty() ? new Look(now, nanos) : samples.getFirst();
        return FlowFindings.of(first.flow, now, (nanos - first.nanos) / NANOS_PER_MILLI);
    }
}
