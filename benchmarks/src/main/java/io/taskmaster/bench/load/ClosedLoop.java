package io.taskmaster.bench.load;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A load with a fixed number of operations in flight: the end of each starts the next. Throughput is what the server
 * sustains at that concurrency, and latency is what a caller sees at that throughput; Little's law ties the two
 * together. Thread-safe.
 */
public final class ClosedLoop {

    private static final long DRAIN_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final LoadWindow loadWindow;
    private final List<Lane> lanes;
    private final CompletableFuture<Void> drained;

    private ClosedLoop(LoadWindow loadWindow, List<Lane> lanes, CompletableFuture<Void> drained) {
        this.loadWindow = loadWindow;
        this.lanes = lanes;
        this.drained = drained;
    }

    /** Runs a load to its end. Blocks. */
    public static Measurement run(
            LoadConnections loadConnections, int outstanding, Timing timing, Session.Factory sessions)
            throws InterruptedException {
        return start(loadConnections, outstanding, timing, sessions).await();
    }

    /** Runs a load that needs no connection, on one thread of its own that owns the session, to its end. Blocks. */
    public static Measurement run(int outstanding, Timing timing, Session session) throws InterruptedException {
        EventLoop loop = new DefaultEventLoop(new DefaultThreadFactory("bench", true));
        try {
            LoadWindow loadWindow = new LoadWindow(System.nanoTime(), timing);
            Lane lane = new Lane(loop, session, loadWindow);
            return new ClosedLoop(loadWindow, List.of(lane), lane.start(outstanding)).await();
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    /** Starts a load. The operations in flight are spread evenly over the connections, at least one each. */
    public static ClosedLoop start(
            LoadConnections loadConnections, int outstanding, Timing timing, Session.Factory sessions) {
        LoadWindow loadWindow = new LoadWindow(System.nanoTime(), timing);
        List<Lane> lanes = new ArrayList<>();
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        int remaining = Math.max(outstanding, loadConnections.all().size());
        int remainingLanes = loadConnections.all().size();
        for (LoadConnection loadConnection : loadConnections.all()) {
            int share = remaining / remainingLanes;
            Lane lane = new Lane(loadConnection.loop(), sessions.open(loadConnection), loadWindow);
            lanes.add(lane);
            ends.add(lane.start(share));
            remaining -= share;
            remainingLanes--;
        }
        return new ClosedLoop(loadWindow, lanes, CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)));
    }

    /** Ends the measured time now. */
    public void stop() {
        loadWindow.end(System.nanoTime());
    }

    /**
     * Waits for the end of the measured time, then up to 30 s until every operation has been answered. Operations
     * without an answer by then count as errors.
     */
    public Measurement await() throws InterruptedException {
        while (!isDrained() && !loadWindow.isEnded(System.nanoTime() - DRAIN_LIMIT_NANOS)) {
            // A call of stop and a lane that runs dry move the end forward, so the end is read again every second
            // instead of slept for.
        }
        long unanswered = 0;
        for (Lane lane : lanes) {
            unanswered += lane.abandon();
        }
        return Measurement.of(lanes.stream().map(Lane::tally).toList(), unanswered, loadWindow.length());
    }

    private boolean isDrained() throws InterruptedException {
        try {
            drained.get(1, TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
