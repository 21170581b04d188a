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
import io.taskmaster.testkit.oracle.verdict.OracleSettings;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict;
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
 * A load of threads that enqueue tasks, lease them, and hand them off to a second queue, whatever happens to the
 * server. Every call is recorded, and at the end the oracle judges all of them. Closing it ends the threads.
 */
final class HandOffLoad implements AutoCloseable {

    private static final int WORKERS = 8;
    private static final long CALL_SECONDS = 5;
    private static final long CHECK_SECONDS = 60;
    private static final long PAUSE_NANOS = 50_000_000;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final ByteString FRESH = ByteString.copyFromUtf8("fresh");
    private static final ByteString DONE = ByteString.copyFromUtf8("done");

    private final HistoryBuffer history = new HistoryBuffer();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<Thread> workers = new ArrayList<>();
    private final ByteString group;
    private final ManagedChannel channel;

    private HandOffLoad(String target, GroupName group) {
        this.group = ByteString.copyFrom(group.toByteArray());
        channel = connect(target);
    }

    private static ManagedChannel connect(String target) {
        return NettyChannelBuilder.forTarget(target).usePlaintext().build();
    }

    /** Starts a load on two queues of an empty group. */
    static HandOffLoad on(String target, GroupName group) {
        HandOffLoad load = new HandOffLoad(target, group);
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
                    moveOn(name, task);
                    acknowledged.incrementAndGet();
                }
            } catch (StatusRuntimeException unknownOrRefused) {
                // The history records the outcome; other threads continue with the task, if it exists.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private TaskMasterBlockingStub stub(String name) {
        return stub(name, channel).withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS);
    }

    /** Returns a stub with a name of its own in the history. Its calls wait for a connection. */
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

    private void moveOn(String name, LeasedTask task) {
        UpdateRequest.Builder update = UpdateRequest.newBuilder().setGroup(group);
        update.addDequeueBuilder().setQueue(FRESH).setPid(task.getPid()).setLeaseId(task.getLeaseId());
        update.addEnqueueBuilder().setQueue(DONE).setPid(task.getPid()).setData(task.getData());
        stub(name).updateTasks(update.build());
    }

    /** Blocks until this number of further updates is acknowledged. */
    void awaitMore(int updates) {
        long goal = acknowledged.get() + updates;
        await("updates that are acknowledged").atMost(TIMEOUT).until(() -> acknowledged.get() >= goal);
    }

    /** Ends the load, peeks at all remaining tasks, and returns the verdict of the oracle on all calls. */
    OracleVerdict verdict() throws InterruptedException {
        return verdictOn(channel);
    }

    /** Returns the verdict as {@link #verdict} does, but peeks at the tasks through another server. */
    OracleVerdict verdictAt(String target) throws InterruptedException {
        ManagedChannel other = connect(target);
        try {
            return verdictOn(other);
        } finally {
            other.shutdownNow();
        }
    }

    private OracleVerdict verdictOn(ManagedChannel server) throws InterruptedException {
        stop();
        peekAll(FRESH, server);
        peekAll(DONE, server);
        OracleVerdict verdict = Oracle.judge(history.history(), OracleSettings.DEFAULT);
        System.out.println(verdict.checked());
        return verdict;
    }

    private void peekAll(ByteString queue, ManagedChannel server) {
        ByteString from = ByteString.EMPTY;
        do {
            PeekReply reply = stub("observer", server)
                    .withDeadlineAfter(CHECK_SECONDS, TimeUnit.SECONDS)
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

    /** Ends the load without waiting for its threads. */
    @Override
    public void close() {
        stopped.set(true);
        channel.shutdownNow();
    }
}
