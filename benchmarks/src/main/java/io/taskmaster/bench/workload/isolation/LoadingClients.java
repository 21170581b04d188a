package io.taskmaster.bench.workload.isolation;

import com.google.protobuf.ByteString;
import io.taskmaster.bench.load.ClosedLoop;
import io.taskmaster.bench.load.LoadConnection;
import io.taskmaster.bench.load.LoadConnections;
import io.taskmaster.bench.load.Measurement;
import io.taskmaster.bench.load.Session;
import io.taskmaster.bench.load.Timing;
import io.taskmaster.bench.target.Target;
import io.taskmaster.bench.workload.Answers;
import io.taskmaster.bench.workload.QueueAddress;
import io.taskmaster.v1.ServiceClass;
import io.taskmaster.v1.UpdateRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Clients that enqueue updates of 50 tasks into several queues round-robin, each update as soon as one is answered. A
 * client is a connection with 50 requests in flight, which is the load of 50 threads that wait for their replies.
 * Closing ends the connections. Single-threaded: owned by the run.
 */
final class LoadingClients implements AutoCloseable {

    private static final int THREADS = 50;
    private static final int BATCH = 50;
    private static final String REFUSED = "RESOURCE_EXHAUSTED";
    private static final Duration MAX_DURATION = Duration.ofMinutes(30);

    private final LoadConnections loadConnections;
    private final ClosedLoop loop;

    private LoadingClients(LoadConnections loadConnections, ClosedLoop loop) {
        this.loadConnections = loadConnections;
        this.loop = loop;
    }

    /** Starts this number of clients; they run until they are stopped, for 30 minutes at most. */
    static LoadingClients start(
            Target server,
            int clients,
            Duration warmup,
            ServiceClass serviceClass,
            List<QueueAddress> queues,
            ByteString data) {
        LoadConnections loadConnections = LoadConnections.open(server.address(), clients);
        Timing timing = new Timing(warmup, MAX_DURATION);
        return new LoadingClients(
                loadConnections,
                ClosedLoop.start(
                        loadConnections,
                        clients * THREADS,
                        timing,
                        loadConnection -> session(loadConnection, serviceClass, queues, data)));
    }

    /**
     * Ends the load. Blocks until every request is answered. Updates that the server refused for overload are errors
     * here.
     */
    Measurement stop() throws InterruptedException {
        loop.stop();
        return loop.await();
    }

    @Override
    public void close() {
        loadConnections.close();
    }

    /** The number of updates refused for overload, as admission control is entitled to. */
    static long refused(Measurement measurement) {
        return measurement.errorCount() - withoutRefused(measurement).errorCount();
    }

    /** Returns the measurement without the updates that were refused for overload. */
    static Measurement withoutRefused(Measurement measurement) {
        Map<String, Long> errors = new HashMap<>(measurement.errors());
        errors.keySet().removeIf(reason -> reason.startsWith(REFUSED));
        return new Measurement(
                measurement.latencies(),
                measurement.operations(),
                measurement.tasks(),
                measurement.totalTasks(),
                errors,
                measurement.length());
    }

    private static Session session(
            LoadConnection loadConnection, ServiceClass serviceClass, List<QueueAddress> queues, ByteString data) {
        List<UpdateRequest> updates =
                queues.stream().map(queue -> update(queue, serviceClass, data)).toList();
        int[] nextQueue = new int[1];
        return slot -> loadConnection
                .stub()
                .updateTasks(
                        updates.get(nextQueue[0]++ % updates.size()),
                        slot.observer(reply -> Answers.fault(reply, BATCH, 0)
                                .ifPresentOrElse(slot::failed, () -> slot.succeeded(BATCH))));
    }

    /** Returns an update that enqueues FIFO, so that the same request enqueues new tasks each time. */
    private static UpdateRequest update(QueueAddress queue, ServiceClass serviceClass, ByteString data) {
        UpdateRequest.Builder update =
                UpdateRequest.newBuilder().setGroup(queue.group()).setServiceClass(serviceClass);
        for (int i = 0; i < BATCH; i++) {
            update.addEnqueue(queue.fifo(data));
        }
        return update.build();
    }
}
