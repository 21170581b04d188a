package io.taskmaster.bench.workload;

import com.google.protobuf.ByteString;
import io.taskmaster.bench.load.ClosedLoop;
import io.taskmaster.bench.load.LoadConnection;
import io.taskmaster.bench.load.LoadConnections;
import io.taskmaster.bench.load.Measurement;
import io.taskmaster.bench.load.Session;
import io.taskmaster.bench.load.Slot;
import io.taskmaster.bench.report.Peers.Discipline;
import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.target.Target;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Enqueues to queues that were empty before: with PIDs of the generator, each new and larger than all before, or FIFO.
 * Checked: every status; that a FIFO PID is above all that were assigned before its request was sent; the sizes of the
 * queues afterwards. Immutable.
 *
 * @param isFifo whether the server assigns the PIDs
 * @param batch the number of tasks per update
 */
public record EnqueueWorkload(boolean isFifo, int batch) implements Workload.OnServer {

    @Override
    public String row() {
        return RowNames.batched(isFifo ? "fifo" : "enqueue", batch);
    }

    @Override
    public Row run(Scene scene, Target server) throws InterruptedException {
        List<QueueAddress> queues = scene.queues(row());
        AtomicLong numbers = new AtomicLong();
        try (LoadConnections loadConnections = scene.connect(server)) {
            Measurement measurement = ClosedLoop.run(
                    loadConnections,
                    scene.load().outstanding(batch),
                    scene.load().timing(),
                    loadConnection -> new Enqueuing(loadConnection, queues, numbers, scene.data()));
            Calls calls = new Calls(loadConnections.first());
            Measurement audited = TaskAudit.of(measurement, calls.size(queues), measurement.totalTasks(), batch);
            calls.deleteAll(queues);
            return Row.rate(row(), RowNames.updateOf(batch), audited)
                    .boundBy(batch == 1 ? EchoWorkload.UPDATE : RawWorkload.rowOf(RawWorkload.COMPARED_BATCH))
                    .against(Discipline.enqueue(batch));
        }
    }

    /**
     * A session that enqueues to the queues round-robin. Single-threaded: owned by the event loop of its connection.
     */
    private final class Enqueuing implements Session {

        private final LoadConnection loadConnection;
        private final List<QueueAddress> queues;
        private final AtomicLong numbers;
        private final ByteString data;
        private final ByteString[] highest;
        private int nextQueue;

        Enqueuing(LoadConnection loadConnection, List<QueueAddress> queues, AtomicLong numbers, ByteString data) {
            this.loadConnection = loadConnection;
            this.queues = queues;
            this.numbers = numbers;
            this.data = data;
            this.highest = new ByteString[queues.size()];
            Arrays.fill(highest, ByteString.EMPTY);
        }

        @Override
        public void begin(Slot slot) {
            int index = nextQueue++ % queues.size();
            QueueAddress queue = queues.get(index);
            UpdateRequest.Builder update = UpdateRequest.newBuilder().setGroup(queue.group());
            for (int i = 0; i < batch; i++) {
                update.addEnqueue(isFifo ? queue.fifo(data) : queue.enqueue(Pids.of(numbers.getAndIncrement()), data));
            }
            // The floor is read before the request is sent: only PIDs assigned before that must be below those of the
            // reply.
            ByteString floor = highest[index];
            loadConnection.stub().updateTasks(update.build(), slot.observer(reply -> judge(slot, reply, index, floor)));
        }

        private void judge(Slot slot, UpdateReply reply, int index, ByteString floor) {
            Optional<String> fault = Answers.fault(reply, batch, 0);
            if (fault.isPresent()) {
                slot.failed(fault.get());
            } else if (isFifo && !Answers.ascends(floor, reply.getAssignedPidList())) {
                slot.failed("check: FIFO PID not above those assigned before");
            } else {
                ByteString last = reply.getAssignedPid(batch - 1);
                if (isFifo && Answers.ascends(highest[index], List.of(last))) {
                    highest[index] = last;
                }
                slot.succeeded(batch);
            }
        }
    }
}
