package io.taskmaster.bench.workload;

import com.google.protobuf.ByteString;
import io.taskmaster.bench.load.LoadConnection;
import io.taskmaster.bench.load.Session;
import io.taskmaster.bench.load.Slot;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.UpdateRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A session that leases from the queues round-robin, and dequeues or hands off the tasks it gets. Single-threaded:
 * owned by the event loop of its connection.
 */
final class LeaseSession implements Session {

    private final LoadConnection loadConnection;
    private final LeaseWorkload workload;
    private final List<QueueAddress> sources;
    private final List<QueueAddress> sinks;
    private final List<LeaseLedger> ledgers;
    private final ByteString data;
    private final long mayBeUnseen;
    private final List<LeaseRequest> leases = new ArrayList<>();
    private int nextSource;

    LeaseSession(
            LoadConnection loadConnection,
            LeaseWorkload workload,
            List<QueueAddress> sources,
            List<QueueAddress> sinks,
            List<LeaseLedger> ledgers,
            ByteString data,
            Load load) {
        this.loadConnection = loadConnection;
        this.workload = workload;
        this.sources = sources;
        this.sinks = sinks;
        this.ledgers = ledgers;
        this.data = data;
        // Replies that are in flight to other slots may carry this many of the remaining tasks.
        this.mayBeUnseen = (long) Math.max(load.outstanding(workload.batch()), load.clients()) * workload.batch();
        int leaseBytes = 2 * Math.max(1, data.size()) * workload.batch();
        sources.forEach(source -> leases.add(source.lease(workload.batch(), leaseBytes)));
    }

    @Override
    public void begin(Slot slot) {
        int index = nextSource++ % sources.size();
        long floor = ledgers.get(index).floor();
        loadConnection.stub().leaseTasks(leases.get(index), slot.observer(reply -> finish(slot, reply, index, floor)));
    }

    private void finish(Slot slot, LeaseReply reply, int index, long floor) {
        List<LeasedTask> tasks = reply.getTasksList();
        LeaseLedger ledger = ledgers.get(index);
        if (tasks.isEmpty()) {
            onEmptyLease(slot, ledger);
            return;
        }
        Optional<String> fault = ledger.note(tasks, floor);
        if (fault.isPresent()) {
            slot.failed(fault.get());
        } else if (tasks.size() > workload.batch()
                || !tasks.getFirst().getData().equals(data)) {
            slot.failed("check: leased more than asked for, or other data than enqueued");
        } else {
            loadConnection.stub().updateTasks(finishing(index, tasks), slot.observer(update -> {
                int enqueues = workload.isHandOff() ? tasks.size() : 0;
                Answers.fault(update, enqueues, tasks.size())
                        .ifPresentOrElse(slot::failed, () -> slot.succeeded(tasks.size()));
            }));
        }
    }

    /**
     * Ends the load if the queue may be empty: the remaining tasks may be in replies to other slots that are still in
     * flight. An empty reply before that is an error.
     */
    private void onEmptyLease(Slot slot, LeaseLedger ledger) {
        if (ledger.remaining() > mayBeUnseen) {
            slot.failed("check: nothing leased although tasks are available");
        } else {
            slot.onExhausted();
        }
    }

    private UpdateRequest finishing(int index, List<LeasedTask> tasks) {
        QueueAddress source = sources.get(index);
        QueueAddress sink = sinks.get(index);
        UpdateRequest.Builder update = UpdateRequest.newBuilder().setGroup(source.group());
        for (LeasedTask task : tasks) {
            update.addDequeue(source.dequeue(task));
            if (workload.isHandOff()) {
                update.addEnqueue(sink.enqueue(task.getPid(), task.getData()));
            }
        }
        return update.build();
    }
}
