package io.taskmaster.server.insight;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.route.ScatterGather;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.partition.Node;
import io.taskmaster.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The self-observation of a node: how tasks flow now, and how they did in the last hour and the last day. Partitions
 * count on their loops, and a thread of this object sums up. Thread-safe; never blocks.
 */
public final class Insight implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Insight.class);

    /** The distance of the points of the finest history. */
    static final Duration STEP = Duration.ofSeconds(10);

    private final FlowQuery flow;
    private final BusiestQueuesQuery queues;
    private final Recorder recorder;
    private final ScheduledExecutorService thread;

    /** True if the last collection of the recorder failed. Only the first failure in a row is logged as a warning. */
    private final AtomicBoolean isBlind = new AtomicBoolean();

    /** Creates an observer that records only when {@link #tick} or {@link #record} is called. */
    Insight(Node node, Clock clock, WatchedQueues watched) {
        thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("insight").factory());
        flow = new FlowQuery(node, thread);
        queues = new BusiestQueuesQuery(node, thread, watched);
        recorder = new Recorder(clock, watched);
    }

    /** Starts to observe a node, every {@link #STEP}. */
    public static Insight start(Node node, Clock clock, WatchedQueues watched) {
        var insight = new Insight(node, clock, watched);
        Runnable step = () -> {
            var _ = insight.tick();
        };
        var _ = insight.thread.scheduleWithFixedDelay(step, 0, STEP.toMillis(), TimeUnit.MILLISECONDS);
        return insight;
    }

    /** Records a step, and logs its failure. */
    CompletableFuture<Void> tick() {
        return record().whenComplete((_, failure) -> logFailure(failure));
    }

    /** Logs the first failure in a row, and the end of the row. The shutdown of the node is not a failure. */
    private void logFailure(@Nullable Throwable failure) {
        if (failure == null) {
            if (isBlind.getAndSet(false)) {
                LOG.info("recording the history again");
            }
        } else if (ScatterGather.refusal(failure).code() != ErrorCode.SHUTTING_DOWN) {
            Level level = isBlind.getAndSet(true) ? Level.DEBUG : Level.WARN;
            LOG.atLevel(level)
                    .setCause(failure)
                    .log("could not record a point of the history; the next point covers the gap");
        }
    }

    /**
     * Records a step. If the collection fails, the next step makes up for it: it covers everything since the last
     * successful one.
     */
    CompletableFuture<Void> record() {
        return flow.query().thenAcceptBoth(queues.query(recorder.watched()), recorder::see);
    }

    /**
     * Returns the current flow. Sizes are current; counts begin with the epochs of the partitions. Fails with a
     * {@link TaskMasterException}.
     */
    public CompletableFuture<FlowSnapshot> flow() {
        return flow.query();
    }

    /** Returns the findings on a flow that was just collected: families in which tasks wait, the most urgent first. */
    public List<FlowFinding> findings(FlowSnapshot flow) {
        return recorder.findings(flow);
    }

    /** Returns the sums up to the last step. */
    public InsightTotals insightTotals() {
        return recorder.insightTotals();
    }

    /** Returns the history of all queues together, oldest first. */
    public List<Point> history(Resolution resolution) {
        return recorder.all(resolution);
    }

    /** Returns the history of the queues of a family; empty if it is not among the busiest. */
    public Optional<List<Point>> history(FamilyName family, Resolution resolution) {
        return recorder.family(family, resolution);
    }

    /** Returns the history of a queue; empty if it is not among the busiest. */
    public Optional<List<Point>> history(QueueKey queue, Resolution resolution) {
        return recorder.queue(queue, resolution);
    }

    /** Stops observing. Idempotent. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
