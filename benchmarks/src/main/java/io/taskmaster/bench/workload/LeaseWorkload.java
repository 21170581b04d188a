package io.taskmaster.bench.workload;

import com.google.protobuf.ByteString;
import io.taskmaster.bench.load.ClosedLoop;
import io.taskmaster.bench.load.LoadConnections;
import io.taskmaster.bench.load.Measurement;
import io.taskmaster.bench.load.Timing;
import io.taskmaster.bench.report.Peers.Discipline;
import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.target.Target;
import java.util.List;

/**
 * Leases of tasks from queues filled before, each followed by one update with their lease ids that dequeues them, or
 * hands them off to another queue of the same group under the same PIDs. Checked: what {@link LeaseLedger} checks, the
 * data, every status, and the sizes of the queues afterwards. Immutable.
 *
 * @param isHandOff whether the update also enqueues the tasks in the next queue
 * @param batch the number of tasks per lease and per update
 */
public record LeaseWorkload(boolean isHandOff, int batch) implements Workload.OnServer {

    private static final int SINGLE_RATE_LIMIT = 40_000;
    private static final int BATCH_RATE_LIMIT = 150_000;

    @Override
    public String row() {
        return RowNames.batched(isHandOff ? "handoff" : "lease", batch);
    }

    @Override
    public Row run(Scene scene, Target server) throws InterruptedException {
        Load load = scene.load();
        int rateLimit = batch == 1 ? SINGLE_RATE_LIMIT : BATCH_RATE_LIMIT;
        int tasks = load.preload(rateLimit);
        Timing timing = load.timingOnPreloaded(rateLimit);
        ByteString data = scene.data();
        List<QueueAddress> sources = scene.queues(row());
        List<QueueAddress> sinks =
                sources.stream().map(source -> source.sibling("-next")).toList();
        try (LoadConnections loadConnections = scene.connect(server)) {
            for (QueueAddress source : sources) {
                Preload.fill(loadConnections, source, tasks, Pids::of, data);
            }
            List<LeaseLedger> ledgers =
                    sources.stream().map(source -> new LeaseLedger(tasks)).toList();
            Measurement measurement = ClosedLoop.run(
                    loadConnections,
                    load.outstanding(batch),
                    timing,
                    loadConnection -> new LeaseSession(loadConnection, this, sources, sinks, ledgers, data, load));
            Calls calls = new Calls(loadConnections.first());
            long filled = (long) tasks * sources.size();
            Measurement audited = audit(measurement, calls, sources, sinks, filled);
            calls.deleteAll(sources);
            calls.deleteAll(sinks);
            return Row.rate(row(), unit(), audited)
                    .boundBy(RowNames.batched(EchoWorkload.PAIR, batch))
                    .against(isHandOff ? Discipline.handOff(batch) : Discipline.lease(batch))
                    .noting(
                            timing.measured().compareTo(measurement.length()) > 0
                                    ? "ended early: all tasks were gone"
                                    : "");
        }
    }

    private String unit() {
        return "one operation = one lease of %s, then one update that %s"
                .formatted(
                        RowNames.tasks(batch),
                        isHandOff ? "dequeues and enqueues them in the next queue" : "dequeues them");
    }

    private Measurement audit(
            Measurement measurement, Calls calls, List<QueueAddress> from, List<QueueAddress> to, long filled) {
        long remaining = calls.size(from);
        long moved = calls.size(to);
        long finished = measurement.totalTasks();
        Measurement audited = TaskAudit.of(measurement, filled - remaining, finished, batch);
        return isHandOff ? TaskAudit.of(audited, moved, finished, batch) : audited;
    }
}
