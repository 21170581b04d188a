package io.taskmaster.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.StatusRuntimeException;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.config.ServerConfig;
import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.history.HistoryBuffer;
import io.taskmaster.testkit.history.HistoryRecorder;
import io.taskmaster.testkit.history.HistorySink;
import io.taskmaster.testkit.oracle.verdict.OracleSettings;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.Release;
import io.taskmaster.v1.Renew;
import io.taskmaster.v1.TaskMasterGrpc;
import io.taskmaster.v1.TaskMasterGrpc.TaskMasterBlockingStub;
import io.taskmaster.v1.UpdateRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A test of the oracle with a real server, whose workers hand off, read and release tasks, and let calls time out. */
final class RealWorkloadTest {

    private static final int WORKERS = 6;
    private static final int TOKENS = 300;

    @Test
    void aRealServerKeepsItsPromises() throws Exception {
        HistoryBuffer buffer = new HistoryBuffer();
        try (TaskMasterServer server = TaskMasterServer.start(
                ServerConfig.reader(1L << 30)
                        .set("listen", "127.0.0.1:0")
                        .set("http", "127.0.0.1:0")
                        .set("store", "memory")
                        .read(),
                Nodes.factory())) {
            ManagedChannel channel = ManagedChannelBuilder.forAddress("127.0.0.1", server.rpcPort())
                    .usePlaintext()
                    .build();
            try (ExecutorService threads = Executors.newFixedThreadPool(WORKERS)) {
                List<Future<?>> workers = new ArrayList<>();
                for (int i = 0; i < WORKERS; i++) {
                    int worker = i;
                    workers.add(threads.submit(() -> new Worker(channel, buffer, worker).run()));
                }
                for (Future<?> worker : workers) {
                    worker.get(60, TimeUnit.SECONDS);
                }
                new Worker(channel, buffer, WORKERS).drain();
            } finally {
                channel.shutdownNow();
            }
        }
        History history = buffer.history();

        OracleVerdict verdict = Oracle.judge(history, OracleSettings.DEFAULT.drained());

        assertThat(verdict.findings()).as(verdict.toString()).isEmpty();
        assertThat(verdict.checked().calls()).isGreaterThan(1_000);
        assertThat(verdict.checked().unknown()).isPositive();
        assertThat(verdict.checked().undecided()).isZero();
    }

    /** A thread of the workload. */
    private static final class Worker {

        private final TaskMasterBlockingStub stub;
        private final Random random;
        private final int number;

        Worker(ManagedChannel channel, HistorySink sink, int number) {
            this.stub = TaskMasterGrpc.newBlockingStub(channel)
                    .withInterceptors(new HistoryRecorder("worker " + number, sink));
            this.random = new Random(number);
            this.number = number;
        }

        void run() {
            for (int i = 0; i < TOKENS; i++) {
                try {
                    step(i);
                } catch (StatusRuntimeException gaveUp) {
                    assertThat(gaveUp.getStatus().getCode()).isEqualTo(io.grpc.Status.Code.DEADLINE_EXCEEDED);
                }
            }
        }

        private void step(int i) {
            Enqueue.Builder enqueue = Enqueue.newBuilder()
                    .setQueue(bytes("q" + random.nextInt(3)))
                    .setData(bytes("token " + number + "." + i));
            if (random.nextBoolean()) {
                enqueue.setPid(bytes("p" + random.nextInt(40)));
            }
            impatient()
                    .updateTasks(UpdateRequest.newBuilder().addEnqueue(enqueue).build());
            LeaseReply leased = impatient().leaseTasks(lease(1 + random.nextInt(3), 1 + random.nextInt(20)));
            for (LeasedTask task : leased.getTasksList()) {
                finish(task, i);
            }
            if (random.nextInt(10) == 0) {
                stub.peekTasks(PeekRequest.newBuilder()
                        .setQueue(bytes("q1"))
                        .setWithData(random.nextBoolean())
                        .setMaxTasks(1 + random.nextInt(20))
                        .build());
                stub.listQueues(ListRequest.getDefaultInstance());
            }
        }

        private void finish(LeasedTask task, int i) {
            UpdateRequest.Builder update = UpdateRequest.newBuilder();
            switch (random.nextInt(4)) {
                case 0 ->
                    update.addRelease(Release.newBuilder()
                            .setQueue(task.getQueue())
                            .setPid(task.getPid())
                            .setLeaseId(task.getLeaseId()));
                case 1 ->
                    update.addRenew(Renew.newBuilder()
                            .setQueue(task.getQueue())
                            .setPid(task.getPid())
                            .setLeaseId(task.getLeaseId())
                            .setLease(millis(5)));
                default ->
                    update.addDequeue(Dequeue.newBuilder()
                                    .setQueue(task.getQueue())
                                    .setPid(task.getPid())
                                    .setLeaseId(task.getLeaseId()))
                            .addEnqueue(Enqueue.newBuilder()
                                    .setQueue(bytes("next"))
                                    .setData(bytes("after " + number + "." + i + "." + random.nextLong())))
                            .setRequestId(bytes("id " + number + "." + i + "." + random.nextLong()));
            }
            impatient().updateTasks(update.build());
        }

        void drain() {
            int empty = 0;
            while (empty < 50) {
                LeaseReply leased = stub.leaseTasks(
                        lease(100, 60_000).toBuilder().setWait(millis(20)).build());
                empty = leased.getTasksCount() == 0 ? empty + 1 : 0;
                UpdateRequest.Builder update = UpdateRequest.newBuilder();
                for (LeasedTask task : leased.getTasksList()) {
                    update.addDequeue(Dequeue.newBuilder()
                            .setQueue(task.getQueue())
                            .setPid(task.getPid())
                            .setLeaseId(task.getLeaseId()));
                }
                stub.updateTasks(update.build());
            }
            stub.listQueues(ListRequest.getDefaultInstance());
        }

        private LeaseRequest lease(int tasks, int millis) {
            return LeaseRequest.newBuilder()
                    .setQueues(QueueSelector.newBuilder().setNameRe(".*"))
                    .setMaxTasks(tasks)
                    .setLease(millis(millis))
                    .build();
        }

        /** Returns a stub with a deadline that is now and then so short that the outcome is unknown. */
        private TaskMasterBlockingStub impatient() {
            return random.nextInt(8) == 0
                    ? stub.withDeadlineAfter(200 + random.nextInt(2_000), TimeUnit.MICROSECONDS)
                    : stub;
        }
    }

    private static ByteString bytes(String text) {
        return ByteString.copyFromUtf8(text);
    }

    private static Duration millis(int millis) {
        return Duration.newBuilder()
                .setSeconds(millis / 1_000)
                .setNanos(millis % 1_000 * 1_000_000)
                .build();
    }
}
