package io.taskmaster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.ConfigureReply;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TaskMasterClientTest {

    private static final QueueKey QUEUE = QueueKey.of("g", "q");
    private static final LeasedTask TASK =
            new LeasedTask(QUEUE, Pid.of("p"), Bytes.of("d"), Map.of(), 7, Instant.EPOCH, 1, Instant.EPOCH);

    private final FakeServer server = new FakeServer();
    private final TaskMasterClient client = server.client();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void updateSaysAllThatItWasGiven() {
        server.answer(UpdateReply.getDefaultInstance());
        QueueName next = QueueName.of("next");

        client.update(Update.in("g")
                        .enqueue(next, Pid.EMPTY, Bytes.of("a"))
                        .enqueue(next, Bytes.of("b"))
                        .enqueue(Enqueue.of(next, Pid.of("c"), Bytes.EMPTY)
                                .ifExists(IfExists.FAIL)
                                .headers(Map.of("k", "v")))
                        .enqueue(Enqueue.of(next, Pid.of("d"), Bytes.EMPTY).ifExists(IfExists.REPLACE))
                        .enqueue(Enqueue.of(next, Pid.of("e"), Bytes.EMPTY)
                                .notBefore(Instant.ofEpochSecond(8, 9))
                                .ifExists(IfExists.RERUN))
                        .dequeue(TASK)
                        .renew(TASK, java.time.Duration.ofMillis(1500))
                        .release(QueueName.of("q"), Pid.of("r"), Update.UNCONDITIONAL)
                        .release(TASK, Instant.ofEpochSecond(10))
                        .releaseUntried(TASK)
                        .requestId(RequestId.of("once"))
                        .serviceClass(ServiceClass.BULK)
                        .build())
                .join();

        assertThat(server.requests)
                .containsExactly(UpdateRequest.newBuilder()
                        .setGroup(utf8("g"))
                        .addEnqueue(enqueue().setPid(ByteString.EMPTY).setData(utf8("a")))
                        .addEnqueue(enqueue().setData(utf8("b")))
                        .addEnqueue(enqueue()
                                .setPid(utf8("c"))
                                .setIfExists(io.taskmaster.v1.IfExists.FAIL)
                                .putHeaders("k", "v"))
                        .addEnqueue(enqueue().setPid(utf8("d")).setIfExists(io.taskmaster.v1.IfExists.REPLACE))
                        .addEnqueue(enqueue()
                                .setPid(utf8("e"))
                                .setIfExists(io.taskmaster.v1.IfExists.RERUN)
                                .setNotBefore(
                                        Timestamp.newBuilder().setSeconds(8).setNanos(9)))
                        .addDequeue(io.taskmaster.v1.Dequeue.newBuilder()
                                .setQueue(utf8("q"))
                                .setPid(utf8("p"))
                                .setLeaseId(7))
                        .addRenew(io.taskmaster.v1.Renew.newBuilder()
                                .setQueue(utf8("q"))
                                .setPid(utf8("p"))
                                .setLeaseId(7)
                                .setLease(Duration.newBuilder().setSeconds(1).setNanos(500_000_000)))
                        .addRelease(io.taskmaster.v1.Release.newBuilder()
                                .setQueue(utf8("q"))
                                .setPid(utf8("r")))
                        .addRelease(io.taskmaster.v1.Release.newBuilder()
                                .setQueue(utf8("q"))
                                .setPid(utf8("p"))
                                .setLeaseId(7)
                                .setNotBefore(Timestamp.newBuilder().setSeconds(10)))
                        .addRelease(io.taskmaster.v1.Release.newBuilder()
                                .setQueue(utf8("q"))
                                .setPid(utf8("p"))
                                .setLeaseId(7)
                                .setUntried(true))
                        .setRequestId(utf8("once"))
                        .setServiceClass(io.taskmaster.v1.ServiceClass.BULK)
                        .build());
    }

    @Test
    void shortFormsAreUpdatesOfOneElement() {
        for (int i = 0; i < 7; i++) {
            server.answer(UpdateReply.newBuilder().setSuccess(true).build());
        }
        client.enqueue(QUEUE, Pid.of("p"), Bytes.of("d")).join();
        client.enqueue(QUEUE, Bytes.of("d")).join();
        client.dequeue(TASK).join();
        client.renew(TASK, java.time.Duration.ofSeconds(5)).join();
        client.release(TASK).join();
        client.release(TASK, Instant.EPOCH).join();
        client.releaseUntried(TASK).join();

        assertThat(server.requests)
                .allSatisfy(request ->
                        assertThat(((UpdateRequest) request).getGroup()).isEqualTo(utf8("g")));
        assertThat(server.requests)
                .extracting(request -> ((UpdateRequest) request).getAllFields().size())
                .containsOnly(2);
    }

    @Test
    void updateReplyKeepsItsOrderAndEveryStatus() {
        UpdateReply.Builder reply = UpdateReply.newBuilder().addAssignedPid(utf8("x"));
        for (Status status : Status.values()) {
            reply.addEnqueueStatus(io.taskmaster.v1.Status.valueOf(status.name()));
        }
        reply.addDequeueStatus(io.taskmaster.v1.Status.LEASE_LOST)
                .addRenewStatus(io.taskmaster.v1.Status.LEASE_EXPIRED)
                .addReleaseStatus(io.taskmaster.v1.Status.ABORTED);
        server.answer(reply.build());

        assertThat(client.enqueue(QUEUE, Bytes.EMPTY).join())
                .isEqualTo(new UpdateResult(
                        false,
                        List.of(Status.values()),
                        List.of(Status.LEASE_LOST),
                        List.of(Status.LEASE_EXPIRED),
                        List.of(Status.ABORTED),
                        List.of(Pid.of("x"))));
    }

    @Test
    void statusOfALaterVersionIsAnUnknownOutcome() {
        server.answer(UpdateReply.newBuilder().addEnqueueStatusValue(99).build());
        assertThatThrownBy(client.enqueue(QUEUE, Bytes.EMPTY)::join)
                .cause()
                .isInstanceOfSatisfying(
                        TaskMasterException.class,
                        error -> assertThat(error.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN));
    }

    @Test
    void leaseSaysAllThatItWasGiven() {
        server.answer(LeaseReply.getDefaultInstance());

        client.lease(LeaseRequest.from(new QueueSelector(
                                Optional.of(GroupName.of("g")), List.of(QueueName.of("q")), Optional.of("a.*")))
                        .maxTasks(3)
                        .length(java.time.Duration.ofSeconds(10))
                        .maxPid(Pid.EMPTY)
                        .maxWait(java.time.Duration.ofSeconds(20))
                        .maxBytes(100)
                        .maxLeasedPerQueue(4)
                        .serviceClass(ServiceClass.BULK))
                .join();

        assertThat(server.requests)
                .containsExactly(io.taskmaster.v1.LeaseRequest.newBuilder()
                        .setQueues(io.taskmaster.v1.QueueSelector.newBuilder()
                                .setGroup(utf8("g"))
                                .addNames(utf8("q"))
                                .setNameRe("a.*"))
                        .setMaxTasks(3)
                        .setLease(Duration.newBuilder().setSeconds(10))
                        .setMaxPid(ByteString.EMPTY)
                        .setWait(Duration.newBuilder().setSeconds(20))
                        .setMaxBytes(100)
                        .setWorker("tester")
                        .setMaxLeasedPerQueue(4)
                        .setServiceClass(io.taskmaster.v1.ServiceClass.BULK)
                        .build());
    }

    @Test
    void leaseNamesItsOwnWorkerIfItHasOne() {
        server.answer(LeaseReply.getDefaultInstance());
        client.lease(LeaseRequest.from(QUEUE).worker("me")).join();
        assertThat(server.requests).first().isInstanceOfSatisfying(io.taskmaster.v1.LeaseRequest.class, request -> {
            assertThat(request.getWorker()).isEqualTo("me");
            assertThat(request.hasWait()).isFalse();
            assertThat(request.hasMaxPid()).isFalse();
        });
    }

    @Test
    void leasedTasksOfSeveralQueuesKeepTheirNames() {
        server.answer(LeaseReply.newBuilder()
                .addTasks(leased("g", "q1", "a"))
                .addTasks(leased("g", "q1", "b"))
                .addTasks(leased("g", "q2", "a"))
                .addTasks(leased("h", "q2", "a"))
                .build());

        List<LeasedTask> tasks =
                client.lease(LeaseRequest.from(QueueSelector.all()).maxTasks(9)).join();

        assertThat(tasks)
                .extracting(task -> task.queue() + ":" + task.pid())
                .containsExactly("g/q1:a", "g/q1:b", "g/q2:a", "h/q2:a");
        assertThat(tasks.getFirst())
                .isEqualTo(new LeasedTask(
                        QueueKey.of("g", "q1"),
                        Pid.of("a"),
                        Bytes.of("data"),
                        Map.of("k", "v"),
                        -1,
                        Instant.ofEpochSecond(5, 6),
                        2,
                        Instant.ofEpochSecond(3)));
    }

    @Test
    void listShowsSizesAndWhereToGoOn() {
        server.answer(ListReply.newBuilder()
                .addQueues(summary("a", 1))
                .setNextPageToken("more")
                .addUnreachableNodes("n2")
                .build());

        ListResult result = client.list(ListRequest.of(QueueSelector.all())
                        .minTasks(1)
                        .minAvailable(2)
                        .maxQueues(3)
                        .pageToken("t"))
                .join();

        assertThat(result)
                .isEqualTo(new ListResult(
                        List.of(new QueueSummary(QueueKey.of("g", "a"), 1, 2, 3)), Optional.of("more"), List.of("n2")));
        assertThat(result.queues().getFirst().total()).isEqualTo(6);
        assertThat(server.requests)
                .containsExactly(io.taskmaster.v1.ListRequest.newBuilder()
                        .setQueues(io.taskmaster.v1.QueueSelector.newBuilder().setAllGroups(true))
                        .setMinTasks(1)
                        .setMinAvailable(2)
                        .setMaxQueues(3)
                        .setPageToken("t")
                        .build());
    }

    @Test
    void describeTellsWhatIsAbsent() {
        var sample = io.taskmaster.v1.LeaseSample.newBuilder()
                .setPid(utf8("p"))
                .setLeaseId(9)
                .setWorker("w")
                .setAddress("1.2.3.4:5")
                .setLeased(Timestamp.newBuilder().setSeconds(1))
                .setLeaseExpires(Timestamp.newBuilder().setSeconds(2))
                .setAttempt(3);
        server.answer(DescribeReply.newBuilder()
                .addQueues(io.taskmaster.v1.QueueDescription.newBuilder()
                        .setSummary(summary("a", 1))
                        .setEnqueueRate(1.5)
                        .setLeaseRate(2.5)
                        .setDequeueRate(3.5)
                        .setMeanLeaseDuration(Duration.newBuilder().setSeconds(4))
                        .setOldestAvailableAge(Duration.newBuilder().setNanos(5))
                        .setExpiredLeases(6)
                        .setGeneration(7)
                        .setOptions(io.taskmaster.v1.QueueOptions.newBuilder()
                                .setPaused(true)
                                .setMaxLeased(8)
                                .setWeight(5))
                        .addLeasedSample(sample)
                        .setNode("n1"))
                .setTotal(io.taskmaster.v1.QueueDescription.getDefaultInstance())
                .build());

        DescribeResult result = client.describe(DescribeRequest.of(QueueSelector.of(QUEUE))
                        .leasedSample(5)
                        .maxQueues(6))
                .join();

        assertThat(result.queues())
                .containsExactly(new QueueDescription(
                        new QueueSummary(QueueKey.of("g", "a"), 1, 2, 3),
                        1.5,
                        2.5,
                        3.5,
                        Optional.of(java.time.Duration.ofSeconds(4)),
                        Optional.of(java.time.Duration.ofNanos(5)),
                        6,
                        7,
                        new QueueOptions(true, 8, 5),
                        List.of(new QueueDescription.LeaseSample(
                                Pid.of("p"),
                                9,
                                "w",
                                "1.2.3.4:5",
                                Instant.ofEpochSecond(1),
                                Instant.ofEpochSecond(2),
                                3)),
                        Optional.of("n1")));
        assertThat(result.total().options()).isEqualTo(QueueOptions.DEFAULT);
        assertThat(result.total().meanLease()).isEmpty();
        assertThat(result.total().oldestAvailableAge()).isEmpty();
        assertThat(result.total().node()).isEmpty();
    }

    @Test
    void peekShowsStateAndWhereToGoOn() {
        server.answer(PeekReply.newBuilder()
                .addTasks(io.taskmaster.v1.PeekedTask.newBuilder()
                        .setPid(utf8("a"))
                        .setData(utf8("d"))
                        .setDataBytes(1)
                        .setState(io.taskmaster.v1.PeekedTask.State.LEASED)
                        .setUntil(Timestamp.newBuilder().setSeconds(9))
                        .setAttempt(2))
                .addTasks(io.taskmaster.v1.PeekedTask.newBuilder()
                        .setPid(utf8("b"))
                        .setState(io.taskmaster.v1.PeekedTask.State.DELAYED))
                .addTasks(io.taskmaster.v1.PeekedTask.newBuilder().setPid(utf8("c")))
                .setNextPid(utf8("d"))
                .build());

        PeekResult result = client.peek(PeekRequest.of(QUEUE)
                        .from(Pid.of("a"))
                        .maxTasks(3)
                        .withData(true)
                        .maxBytes(10))
                .join();

        assertThat(result.next()).contains(Pid.of("d"));
        assertThat(result.tasks())
                .extracting(PeekResult.PeekedTask::state)
                .containsExactly(PeekResult.State.LEASED, PeekResult.State.DELAYED, PeekResult.State.AVAILABLE);
        assertThat(result.tasks().getFirst().until()).contains(Instant.ofEpochSecond(9));
        assertThat(result.tasks().getLast().until()).isEmpty();
        assertThat(server.requests)
                .containsExactly(io.taskmaster.v1.PeekRequest.newBuilder()
                        .setGroup(utf8("g"))
                        .setQueue(utf8("q"))
                        .setFromPid(utf8("a"))
                        .setMaxTasks(3)
                        .setWithData(true)
                        .setMaxBytes(10)
                        .build());
    }

    @Test
    void deleteSaysWhatEachQueueHeld() {
        server.answer(DeleteReply.newBuilder().addDeleted(summary("a", 1)).build());

        assertThat(client.delete(QueueSelector.matchingInAllGroups("a.*")).join())
                .containsExactly(new QueueSummary(QueueKey.of("g", "a"), 1, 2, 3));
        assertThat(server.requests)
                .containsExactly(DeleteRequest.newBuilder()
                        .setQueues(io.taskmaster.v1.QueueSelector.newBuilder()
                                .setAllGroups(true)
                                .setNameRe("a.*"))
                        .build());
    }

    @Test
    void configureSetsAllOptionsAndSaysWhich() {
        server.answer(ConfigureReply.getDefaultInstance());

        QueueOptions options = QueueOptions.DEFAULT.paused(true).maxLeased(3).weight(7);
        assertThat(client.configure(QUEUE, options).join()).isEqualTo(new QueueOptions(true, 3, 7));

        assertThat(server.requests)
                .containsExactly(ConfigureRequest.newBuilder()
                        .setGroup(utf8("g"))
                        .setQueue(utf8("q"))
                        .setOptions(io.taskmaster.v1.QueueOptions.newBuilder()
                                .setPaused(true)
                                .setMaxLeased(3)
                                .setWeight(7))
                        .build());
    }

    @Test
    void eachOperationOfABatchHasItsOwnResult() {
        server.answer(BatchReply.newBuilder()
                .addResults(BatchReply.Result.newBuilder()
                        .setUpdate(UpdateReply.newBuilder().setSuccess(true)))
                .addResults(BatchReply.Result.newBuilder()
                        .setLease(LeaseReply.newBuilder().addTasks(leased("g", "q", "a"))))
                .addResults(BatchReply.Result.newBuilder()
                        .setError(io.taskmaster.v1.Error.newBuilder()
                                .setCode(3)
                                .setReason("TASK_TOO_LARGE")
                                .setMessage("too large")))
                .build());
        Update update = Update.in("g").dequeue(TASK).build();

        List<BatchResult> results =
                client.batch(List.of(update, LeaseRequest.from(QUEUE), update)).join();

        assertThat(results.get(0)).isInstanceOf(BatchResult.Updated.class);
        assertThat(results.get(1))
                .isInstanceOfSatisfying(
                        BatchResult.Leased.class,
                        result -> assertThat(result.tasks()).hasSize(1));
        assertThat(results.get(2)).isInstanceOfSatisfying(BatchResult.Failed.class, result -> {
            assertThat(result.error().code()).isEqualTo(ErrorCode.TASK_TOO_LARGE);
            assertThat(result.error()).hasMessage("too large");
        });
        assertThat(server.requests).singleElement().isInstanceOfSatisfying(BatchRequest.class, request -> {
            assertThat(request.getOperations(0).getUpdate().getDequeueCount()).isOne();
            assertThat(request.getOperations(1).getLease().getWorker()).isEqualTo("tester");
        });
    }

    @Test
    void taskOfAnotherGroupIsRefusedBeforeItIsSent() {
        UpdateBuilder update = Update.in("other");
        assertThatThrownBy(() -> update.dequeue(TASK))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("g (expected: other");
    }

    @Test
    void negativeNumbersAreRefusedBeforeTheyTurnIntoLargeOnes() {
        assertThatThrownBy(() -> LeaseRequest.from(QUEUE).maxTasks(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LeaseRequest.from(QUEUE).maxBytes(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LeaseRequest.from(QUEUE).maxLeasedPerQueue(-1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> QueueOptions.DEFAULT.maxLeased(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> QueueOptions.DEFAULT.weight(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RequestId.of("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RequestId.of("x".repeat(65))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PeekRequest.of(QUEUE).maxTasks(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ListRequest.of(QueueSelector.all()).minTasks(-1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DescribeRequest.of(QueueSelector.all()).maxQueues(-1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static io.taskmaster.v1.Enqueue.Builder enqueue() {
        return io.taskmaster.v1.Enqueue.newBuilder().setQueue(utf8("next"));
    }

    private static io.taskmaster.v1.LeasedTask leased(String group, String queue, String pid) {
        return io.taskmaster.v1.LeasedTask.newBuilder()
                .setGroup(utf8(group))
                .setQueue(utf8(queue))
                .setPid(utf8(pid))
                .setData(utf8("data"))
                .putHeaders("k", "v")
                .setLeaseId(-1)
                .setLeaseExpires(Timestamp.newBuilder().setSeconds(5).setNanos(6))
                .setAttempt(2)
                .setEnqueued(Timestamp.newBuilder().setSeconds(3))
                .build();
    }

    private static io.taskmaster.v1.QueueSummary summary(String name, long available) {
        return io.taskmaster.v1.QueueSummary.newBuilder()
                .setGroup(utf8("g"))
                .setName(utf8(name))
                .setAvailable(available)
                .setLeased(2)
                .setDelayed(3)
                .build();
    }

    private static ByteString utf8(String text) {
        return ByteString.copyFromUtf8(text);
    }
}
