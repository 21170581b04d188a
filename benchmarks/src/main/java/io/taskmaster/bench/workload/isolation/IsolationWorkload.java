package io.taskmaster.bench.workload.isolation;

import io.taskmaster.bench.load.ClosedLoop;
import io.taskmaster.bench.load.Latencies;
import io.taskmaster.bench.load.LoadConnections;
import io.taskmaster.bench.load.Measurement;
import io.taskmaster.bench.load.Timing;
import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.target.Target;
import io.taskmaster.bench.workload.Calls;
import io.taskmaster.bench.workload.Pids;
import io.taskmaster.bench.workload.Preload;
import io.taskmaster.bench.workload.QueueAddress;
import io.taskmaster.bench.workload.Scene;
import io.taskmaster.bench.workload.TaskAudit;
import io.taskmaster.bench.workload.Workload;
import io.taskmaster.v1.ServiceClass;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The throughput that a worker with a single thread loses to clients that load other queues (paper, section 6.2). On a
 * server whose windows have 10 MB for all queues together, the worker leases and dequeues from a queue that was filled
 * before, while 0, 1 or more clients of 50 threads enqueue into 10 others. Each number of clients is measured with all
 * callers in one service class, then with the loading clients in class bulk. Immutable.
 *
 * @param clients the numbers of loading clients, besides none
 */
public record IsolationWorkload(List<Integer> clients) implements Workload.SeriesOnTunedServer {

    private static final int WINDOW_BYTES = 10_000_000;
    private static final int LOADED_QUEUES = 10;
    private static final int LONE_RATE_LIMIT = 2_000;

    /** The warm-up of the later rows: the first row warms up the server, these only their own queues. */
    private static final Duration LATER_WARMUP = Duration.ofSeconds(3);

    private static final List<ServiceClass> CLASSES = List.of(ServiceClass.INTERACTIVE, ServiceClass.BULK);

    /** Copies the list. */
    public IsolationWorkload {
        clients = List.copyOf(clients);
    }

    @Override
    public String row() {
        return "isolation";
    }

    @Override
    public Map<String, String> settings() {
        return Map.of("window.bytes", String.valueOf(WINDOW_BYTES));
    }

    @Override
    public void run(Scene scene, Target server, Consumer<Row> outcome) throws InterruptedException {
        Timing timing = scene.load().timing();
        boolean isShort = timing.warmup().compareTo(LATER_WARMUP) < 0;
        Timing later = new Timing(isShort ? timing.warmup() : LATER_WARMUP, timing.measured());
        try (LoadConnections own = LoadConnections.open(server.address(), 1)) {
            Stage stage = new Stage(scene, server, own);
            stage.fill("alone");
            Row alone = Row.rate(
                    name(0, ServiceClass.INTERACTIVE),
                    unit(0, ServiceClass.INTERACTIVE),
                    stage.audited("alone", stage.work("alone", timing)));
            outcome.accept(alone);
            for (int count : clients) {
                for (ServiceClass serviceClass : CLASSES) {
                    loaded(stage, later, count, serviceClass, alone).forEach(outcome);
                }
            }
        }
    }

    private List<Row> loaded(Stage stage, Timing timing, int count, ServiceClass serviceClass, Row alone)
            throws InterruptedException {
        String name = name(count, serviceClass);
        List<QueueAddress> queues = stage.loadedQueues(name);
        stage.fill(name);
        Measurement measured;
        Measurement load;
        try (LoadingClients loading = LoadingClients.start(
                stage.server(),
                count,
                timing.warmup(),
                serviceClass,
                queues,
                stage.scene().data())) {
            Measurement worked = stage.work(name, timing);
            load = loading.stop();
            measured = stage.audited(name, worked);
        }
        stage.calls().deleteAll(queues);
        Row row = Row.rate(name, unit(count, serviceClass), measured)
                .boundBy(alone.name())
                .noting(times(measured.latencies(), alone.measurement().latencies()));
        Row loadRow = Row.rate(
                        name + " load",
                        "one operation = one update of the loading clients of %s".formatted(name),
                        LoadingClients.withoutRefused(load))
                .noting("%,d updates rejected for overload, and sent again".formatted(LoadingClients.refused(load)));
        return List.of(row, loadRow);
    }

    private static String times(Latencies loaded, Latencies alone) {
        return String.format(
                Locale.ROOT,
                "p50 %.1f and p99 %.1f times those without load",
                loaded.percentile(50).toNanos() / (double) alone.percentile(50).toNanos(),
                loaded.percentile(99).toNanos() / (double) alone.percentile(99).toNanos());
    }

    private String name(int count, ServiceClass loading) {
        return row() + " " + count + (loading == ServiceClass.BULK ? " bulk" : "");
    }

    private static String unit(int count, ServiceClass loading) {
        return "one operation = one lease of 1 task by a lone worker, then its dequeue; %d loading clients%s"
                .formatted(count, loading == ServiceClass.BULK ? ", in bulk" : "");
    }

    /**
     * The environment of the lone worker, with one queue per row. Single-threaded: owned by the run.
     *
     * @param own the connection of the lone worker
     */
    private record Stage(Scene scene, Target server, LoadConnections own) {

        Calls calls() {
            return new Calls(own.first());
        }

        void fill(String name) throws InterruptedException {
            Preload.fill(own, queue(name), tasks(), Pids::of, scene.data());
        }

        Measurement work(String name, Timing timing) throws InterruptedException {
            QueueAddress queue = queue(name);
            return ClosedLoop.run(
                    own, 1, timing, loadConnection -> new LoneWorker(loadConnection.stub(), queue, tasks()));
        }

        /**
         * Checks that exactly the tasks that were not dequeued are left. Called after the load has ended, since the
         * server might refuse it under load.
         */
        Measurement audited(String name, Measurement measured) {
            QueueAddress queue = queue(name);
            Measurement audited = TaskAudit.of(measured, tasks() - calls().size(queue), measured.totalTasks(), 1);
            calls().delete(queue);
            return audited;
        }

        /**
         * Returns the loaded queues: in the group of the lone worker if there is only one group, otherwise spread over
         * the others.
         */
        List<QueueAddress> loadedQueues(String name) {
            int others = scene.load().groups() - 1;
            return IntStream.range(0, LOADED_QUEUES)
                    .mapToObj(i -> scene.queue(others == 0 ? 0 : 1 + i % others, name + " " + i))
                    .toList();
        }

        /** The number of tasks in a queue of the lone worker: more than one worker can complete in the longest row. */
        private long tasks() {
            Timing timing = scene.load().timing();
            return Math.max(1, timing.warmup().plus(timing.measured()).toSeconds()) * LONE_RATE_LIMIT;
        }

        private QueueAddress queue(String name) {
            return scene.queue(name + " lone");
        }
    }
}
