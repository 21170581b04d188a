package io.taskmaster.containers;

import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.taskmaster.model.GroupName;
import io.taskmaster.testkit.history.HistoryBuffer;
import io.taskmaster.testkit.history.HistoryRecorder;
import io.taskmaster.testkit.oracle.Oracle;
import io.taskmaster.testkit.oracle.OracleSettings;
import io.taskmaster.testkit.oracle.Verdict;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.TaskMasterGrpc;
import io.taskmaster.v1.TaskMasterGrpc.TaskMasterBlockingStub;
import io.taskmaster.v1.UpdateRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that enqueue tasks, lease them, and hand them on to a second queue, whatever becomes of the server; each call is recorded, and at the
 * end the oracle judges them all. Closing it ends the threads.
 */
final class Load implements AutoCloseable {

    private static final int WORKERS = 8;
    private static final long CALL_SECONDS = 5;
    private static final long LOOK_SECONDS = 60;
    private static final long PAUSE_NANOS = 50_000_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final ByteString FRESH = ByteString.copyFromUtf8("fresh");
    private static final ByteString DONE = ByteString.copyFromUtf8("done");

    private final HistoryBuffer history = new HistoryBuffer();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<Thread> workers = new ArrayList<>();
    private final ByteString group;
    private final ManagedChannel channel;

    private Load(String target, GroupName group) {
        this.group = ByteString.copyFrom(group.toByteArray());
        channel = connect(target);
    }

    private static ManagedChannel connect(String target) {
        return NettyChannelBuilder.forTarget(target).usePlaintext().build();
    }

    /** Begins in two queues of a group that is empty. */
    static Load on(String target, GroupName group) {
        Load load = new Load(target, group);
        for (int i = 0; i < WORKERS; i++) {
            String name = "worker-" + i;
            load.workers.add(Thread.ofVirtual().name(name).start(() -> load.work(name)));
        }
        return load;
    }

    private void work(String name) {
        for (int i = 0; !stopped.get(); i++) {
            ByteString pid = ByteString.copyFromUtf8("%04d-%s".formatted(i, name));
            try {
                enqueue(name, pid);
                acknowledged.incrementAndGet();
                for (LeasedTask task : lease(name)) {
                    handOn(name, task);
                    acknowledged.incrementAndGet();
                }
            } catch (StatusRuntimeException unknownOrRefused) {
                // The record says which; others go on with the task, if it is there.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private TaskMasterBlockingStub stub(String name) {
        return stub(name, channel).withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS);
    }

    /** As a client of its own. Calls wait for a connection. */
    private TaskMasterBlockingStub stub(String name, ManagedChannel server) {
        return TaskMasterGrpc.newBlockingStub(server)
                .withInterceptors(new HistoryRecorder(name, history))
                .withWaitForReady();
    }

    private void enqueue(String name, ByteString pid) {
        UpdateRequest.Builder update = UpdateRequest.newBuilder().setGroup(group);
        update.addEnqueueBuilder().setQueue(FRESH).setPid(pid).setData(pid);
        stub(name).updateTasks(update.build());
    }

    private List<LeasedTask> lease(String name) {
        LeaseRequest lease = LeaseRequest.newBuilder()
                .setQueues(QueueSelector.newBuilder().setGroup(group).addNames(FRESH))
                .setLease(Durations.fromSeconds(30))
                .build();
        return stub(name).leaseTasks(lease).getTasksList();
    }

    private void handOn(String name, LeasedTask task) {
        UpdateRequest.Builder update = UpdateRequest.newBuilder().setGroup(group);
        update.addDequeueBuilder().setQueue(FRESH).setPid(task.getPid()).setLeaseId(task.getLeaseId());
        update.addEnqueueBuilder().setQueue(DONE).setPid(task.getPid()).setData(task.getData());
        stub(name).updateTasks(update.build());
    }

    /** Comes back when so many updates more were acknowledged. */
    void awaitMore(int updates) {
        long goal = acknowledged.get() + updates;
        await("updates that are acknowledged").atMost(PATIENCE).until(() -> acknowledged.get() >= goal);
    }

    /** Ends the load, looks at all that is left, and has everything judged that was asked and answered. */
    Verdict verdict() throws InterruptedException {
        return verdictOn(channel);
    }

    /** The same, and the server that is looked at is another one. */
    Verdict verdictAt(String target) throws InterruptedException {
        ManagedChannel other = connect(target);
        try {
            return verdictOn(other);
        } finally {
            other.shutdownNow();
        }
    }

    private Verdict verdictOn(ManagedChannel server) throws InterruptedException {
        stop();
        peekAll(FRESH, server);
        peekAll(DONE, server);
        Verdict verdict = Oracle.judge(history.history(), OracleSettings.DEFAULT);
        System.out.println(verdict.checked());
        return verdict;
    }

    private void peekAll(ByteString queue, ManagedChannel server) {
        ByteString from = ByteString.EMPTY;
        do {
            PeekReply reply = stub("observer", server)
                    .withDeadlineAfter(LOOK_SECONDS, TimeUnit.SECONDS)
                    .peekTasks(PeekRequest.newBuilder()
                            .setGroup(group)
                            .setQueue(queue)
                            .setFromPid(from)
                            .setMaxTasks(10_000)
                            .build());
            from = reply.getNextPid();
        } while (!from.isEmpty());
    }

    private void stop() throws InterruptedException {
        stopped.set(true);
        for (Thread worker : workers) {
            worker.join();
        }
    }

    /** Does not wait for the threads. */
    @Override
    public void close() {
        stopped.set(true);
        channel.shutdownNow();
    }
}
