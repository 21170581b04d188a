package io.taskmaster.server.insight;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.engine.rank.BusiestQueues;
import io.taskmaster.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The histories of a node, in memory: of all queues together, and of the busiest families and queues. They begin with
 * the process and are lost with it. Each history takes 70 KiB at most. Thread-safe.
 */
final class Recorder {

    /** The maximum number of families with a history. */
    static final int MAX_FAMILIES = 64;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final FlowSteps flowSteps = new FlowSteps();

    @GuardedBy("lock")
    private final QueueSteps queueSteps = new QueueSteps();

    @GuardedBy("lock")
    private final FlowHistory all = new FlowHistory();

    @GuardedBy("lock")
    private final Histories<FamilyName> families = new Histories<>(MAX_FAMILIES, _ -> false, true);

    @GuardedBy("lock")
    private final Histories<QueueKey> queues;

    @GuardedBy("lock")
    private final LastMinute lastMinute = new LastMinute();

    @GuardedBy("lock")
    private List<FlowFinding> findings = List.of();

    @GuardedBy("lock")
    private long formerNanos;

    Recorder(Clock clock, WatchedQueues watched) {
        this.clock = clock;
        this.queues = new Histories<>(watched.max(), watched::prefers, false);
    }

    /** Records the current flow and the busiest queues. */
    void see(FlowSnapshot flow, BusiestQueues.Found busiest) {
        lock.lock();
        try {
            long nanos = clock.nanos();
            Point idle = Point.idle(clock.wallMillis(), Math.max(1, (nanos - formerNanos) / NANOS_PER_MILLI));
            formerNanos = nanos;
            // The snapshot is compared before it is added, which may drop the one of a minute ago.
            findings = lastMinute.findings(flow, nanos);
            lastMinute.add(flow, nanos);
            Map<QueueKey, Point> inQueues = queueSteps.next(busiest, idle);
            flowSteps.next(flow, busiest.oldestMillis(), idle).ifPresent(step -> {
                all.add(step.all());
                families.add(step.families(), idle);
                queues.add(inQueues, idle);
            });
        } finally {
            lock.unlock();
        }
    }

    /** The queues that have a history. They must be in the next look, however little their activity. */
    Set<QueueKey> watched() {
        lock.lock();
        try {
            return queues.names();
        } finally {
            lock.unlock();
        }
    }

    List<FlowFinding> findings(FlowSnapshot now) {
        lock.lock();
        try {
            return lastMinute.findings(now, clock.nanos());
        } finally {
            lock.unlock();
        }
    }

    InsightTotals insightTotals() {
        lock.lock();
        try {
            return new InsightTotals(all.standing(), families.summaries(), queues.summaries(), findings);
        } finally {
            lock.unlock();
        }
    }

    List<Point> all(Resolution resolution) {
        lock.lock();
        try {
            return all.points(resolution);
        } finally {
            lock.unlock();
        }
    }

    Optional<List<Point>> family(FamilyName name, Resolution resolution) {
        lock.lock();
        try {
            return families.points(name, resolution);
        } finally {
            lock.unlock();
        }
    }

    Optional<List<Point>> queue(QueueKey name, Resolution resolution) {
        lock.lock();
        try {
            return queues.points(name, resolution);
        } finally {
            lock.unlock();
        }
    }
}
