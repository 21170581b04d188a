package io.taskmaster.server.insight;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.partition.Clock;
import io.taskmaster.server.partition.Node;
import io.taskmaster.server.partition.Survey;
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
 * What a node sees of itself: how tasks flow now, and what they did in the last hour and the last day. It is seen where tasks change, and summed up on a thread of its own. Thread-safe;
 * never blocks.
 */
public final class Insight implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Insight.class);

    /** How far apart the points of the finest history are. */
    static final Duration STEP = Duration.ofSeconds(10);

    private final FlowLook flow;
    private final QueueLook queues;
    private final Recorder recorder;
    private final ScheduledExecutorService thread;

    /** The last look of the recorder failed. */
    private final AtomicBoolean isBlind = new AtomicBoolean();

    /** One that writes down only what it is told to. */
    Insight(Node node, Clock clock, WatchedQueues watched) {
        thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("insight").factory());
        flow = new FlowLook(node, thread);
        queues = new QueueLook(node, thread, watched);
        recorder = new Recorder(clock, watched);
    }

    /** Begins to look at a node. */
    public static Insight start(Node node, Clock clock, WatchedQueues watched) {
        var insight = new Insight(node, clock, watched);
        Runnable step = () -> {
            var _ = insight.tick();
        };
        var _ = insight.thread.scheduleWithFixedDelay(step, 0, STEP.toMillis(), TimeUnit.MILLISECONDS);
        return insight;
    }

    /** One step, of which the log says whether it failed. */
    CompletableFuture<Void> tick() {
        return record().whenComplete((_, failure) -> tell(failure));
    }

    /** Of failures in a row the first one, and that they are over. That the node ends is none. */
    private void tell(@Nullable Throwable failure) {
        if (failure == null) {
            if (isBlind.getAndSet(false)) {
                LOG.info("the history goes on");
            }
        } else if (Survey.refusal(failure).code() != ErrorCode.SHUTTING_DOWN) {
            Level level = isBlind.getAndSet(true) ? Level.DEBUG : Level.WARN;
            LOG.atLevel(level).setCause(failure).log("no point of the history this time; the next one makes up for it");
        }
    }

    /** Writes down one step. If the look fails, the next one makes up for it: it sees all that happened since the one before. */
    CompletableFuture<Void> record() {
        return flow.look().thenAcceptBoth(queues.look(recorder.watched()), recorder::see);
    }

    /** Sizes are those of now, counts begin with the partitions. Fails with a {@link TaskMasterException}. */
    public CompletableFuture<FlowSnapshot> flow() {
        return flow.look();
    }

    /** What is to be said of a flow that was just looked at: families in which tasks wait, the most urgent first. */
    public List<Finding> findings(FlowSnapshot flow) {
        return recorder.findings(flow);
    }

    /** What happened up to the last step. */
    public Totals totals() {
        return recorder.totals();
    }

    /** What happened to all queues together, oldest first. */
    public List<Point> history(Resolution resolution) {
        return recorder.all(resolution);
    }

    /** What happened to the queues of a family. Empty: it is none of those in which most goes on. */
    public Optional<List<Point>> history(FamilyName family, Resolution resolution) {
        return recorder.family(family, resolution);
    }

    /** What happened in a queue. Empty: it is none of those in which most goes on. */
    public Optional<List<Point>> history(QueueKey queue, Resolution resolution) {
        return recorder.queue(queue, resolution);
    }

    /** Sees nothing any more. Idempotent. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
