package io.taskmaster.proxy.rpc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.taskmaster.command.Command;
import io.taskmaster.command.Counts;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Reply;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.TestPorts;
import io.taskmaster.proxy.access.Identity;
import io.taskmaster.proxy.access.Protection;
import io.taskmaster.proxy.access.Role;
import io.taskmaster.proxy.access.Rule;
import io.taskmaster.proxy.config.InFlightLimits;
import io.taskmaster.proxy.route.FakeRouter;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.InsightGrpc;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.QueueSummary;
import io.taskmaster.v1.TaskMasterGrpc;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import io.taskmaster.wire.ErrorMapper;
import io.taskmaster.wire.Progress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the gRPC port over a real connection, in front of a fake node. */
final class RpcServerTest {

    private static final int PARTITIONS = 8;
    private static final java.time.Duration LIMIT = java.time.Duration.ofSeconds(20);

    private final FakeRouter node = new FakeRouter(PARTITIONS);
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private RpcServer server;
    private ManagedChannel channel;
    private TaskMasterGrpc.TaskMasterBlockingStub stub;

    @BeforeEach
    void start() throws IOException {
        start(1000);
    }

    private void start(int maxRequests) throws IOException {
        var config = TestPorts.free();
        server = RpcServer.start(
                config.listen(),
                new InFlightLimits(maxRequests, 64 << 20),
                node,
                List.of(_ -> new InsightGrpc.InsightImplBase() {}.bindService()),
                meters,
                RpcServerOptions.PLAIN,
                Protection.open(config.listen(), config.access()));
        channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port())
                .usePlaintext()
                .build();
        stub = TaskMasterGrpc.newBlockingStub(channel);
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        server.close();
    }

    @Test
    void everyMethodIsInTheTableOfAllEndpointsAndNoOther() {
        List<String> served = server.services().stream()
                .flatMap(service -> service.getMethods().stream())
                .map(method -> method.getMethodDescriptor().getFullMethodName())
                .toList();

        assertThat(Rule.TABLE.keySet())
                .filteredOn(endpoint -> !endpoint.startsWith("/"))
                .containsExactlyInAnyOrderElementsOf(served);
    }

    @Test
    void anUpdateReachesItsGroupAndItsReplyComesBack() {
        UpdateReply reply = stub.updateTasks(enqueue("g", "q", "data"));

        assertThat(reply.getSuccess()).isTrue();
        assertThat(reply.getEnqueueStatusList()).containsExactly(io.taskmaster.v1.Status.OK);
        assertThat(reply.getAssignedPidList()).containsExactly(bytes("assigned"));
        assertThat(node.commands).singleElement().isInstanceOfSatisfying(Command.Update.class, update -> {
            assertThat(update.group()).hasToString("g");
            assertThat(update.enqueues().getFirst().payload().data()).hasToString("data");
        });
    }

    @Test
    void aLeaseCarriesTheAddressItCameFrom() {
        LeaseReply reply = stub.leaseTasks(lease(0));

        assertThat(reply.getTasksList()).isEmpty();
        assertThat(node.commands)
                .singleElement()
                .isInstanceOfSatisfying(
                        Command.Lease.class,
                        lease -> assertThat(lease.address())
                                .startsWith("127.0.0.1:")
                                .hasSizeGreaterThan(11));
    }

    @Test
    void callersWithoutANameAreToldApartByTheirConnectionsAndWorkers() {
        node.holding();
        var calls = TaskMasterGrpc.newFutureStub(channel);
        var _ = calls.updateTasks(enqueue("g", "q", "data"));
        String connection = caller(0);
        var _ = calls.leaseTasks(lease(0));
        var _ = calls.leaseTasks(lease(0).toBuilder().setWorker("w").build());
        var _ = calls.batch(BatchRequest.newBuilder()
                .addOperations(BatchRequest.Operation.newBuilder()
                        .setLease(lease(0).toBuilder().clearWait().setWorker("w")))
                .build());

        assertThat(connection).startsWith("127.0.0.1:");
        assertThat(List.of(caller(1), caller(2), caller(3)))
                .containsExactly(connection, connection + " w", connection + " w");
    }

    @Test
    void callersWithANameAreToldApartByIt() {
        node.holding();
        var _ = callsOf("alice").leaseTasks(lease(0).toBuilder().setWorker("w").build());
        String named = caller(0);
        var _ = callsOf("(anybody)").updateTasks(enqueue("g", "q", "data"));

        assertThat(List.of(named, caller(1))).containsExactly("alice", "127.0.0.1:5");
    }

    /** Returns calls of a caller at another endpoint of the node. */
    private TaskMasterGrpc.TaskMasterFutureStub callsOf(String name) {
        return TaskMasterGrpc.newFutureStub(server.channelFor(new io.taskmaster.proxy.access.Caller(
                new Identity(name, Role.FULL),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 5),
                Optional.empty())));
    }

    /** Returns the caller of a request, by its number in order of arrival. */
    private String caller(int number) {
        await().atMost(LIMIT).until(() -> node.held.size() > number);
        return List.copyOf(node.held).get(number).sink().caller();
    }

    @Test
    void aCallIsMeasuredByWhatCameOfIt() {
        stub.updateTasks(enqueue("g", "q", "data"));
        stub.updateTasks(enqueue("g", "q", "data"));
        node.answering((partition, command) -> {
            throw new TaskMasterException(ErrorCode.PARTITION_OPENING, "opening");
        });
        refusal(() -> stub.updateTasks(enqueue("g", "q", "")));

        // The caller may have its reply before the server has counted it.
        await().untilAsserted(() -> {
            assertThat(measured("UpdateTasks", "ok")).isEqualTo(2);
            assertThat(measured("UpdateTasks", "unavailable")).isEqualTo(1);
        });
    }

    private long measured(String method, String status) {
        Timer timer = meters.find("taskmaster.requests")
                .tags("method", method, "status", status, "waited", "false")
                .timer();
        return timer == null ? 0 : timer.count();
    }

    @Test
    void twentyMegabytesOfDataAreTooLargeATaskAndTheServerLivesOn() {
        UpdateRequest request = UpdateRequest.newBuilder()
                .addEnqueue(Enqueue.newBuilder().setQueue(bytes("q")).setData(ByteString.copyFrom(new byte[20 << 20])))
                .build();

        assertThat(refusal(() -> stub.updateTasks(request)).code()).isEqualTo(ErrorCode.TASK_TOO_LARGE);
        assertThat(stub.updateTasks(enqueue("g", "q", "")).getSuccess()).isTrue();
    }

    @Test
    void anAbsurdMessageIsRefusedByTheTransportAndTheServerLivesOn() {
        UpdateRequest request = UpdateRequest.newBuilder()
                .addEnqueue(Enqueue.newBuilder().setQueue(bytes("q")).setData(ByteString.copyFrom(new byte[40 << 20])))
                .build();

        StatusRuntimeException refusal =
                catchThrowableOfType(StatusRuntimeException.class, () -> stub.updateTasks(request));

        assertThat(refusal.getStatus().getCode()).isIn(Status.Code.RESOURCE_EXHAUSTED, Status.Code.CANCELLED);
        assertThat(stub.updateTasks(enqueue("g", "q", "")).getSuccess()).isTrue();
    }

    @Test
    void anErrorOfTheNodeKeepsItsCodeAndItsDelay() {
        node.answering((partition, command) -> {
            throw new TaskMasterException(
                    ErrorCode.PARTITION_OPENING, "opening", java.time.Duration.ofMillis(250), null);
        });

        TaskMasterException refusal = refusal(() -> stub.updateTasks(enqueue("g", "q", "")));

        assertThat(refusal.code()).isEqualTo(ErrorCode.PARTITION_OPENING);
        assertThat(refusal.retryAfter()).contains(java.time.Duration.ofMillis(250));
    }

    @Test
    void aDefectIsAnInternalErrorWithoutItsInnards() {
        node.answering((partition, command) -> {
            throw new IllegalStateException("secret");
        });

        TaskMasterException refusal = refusal(() -> stub.updateTasks(enqueue("g", "q", "")));

        assertThat(refusal.code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(refusal.getMessage()).doesNotContain("secret");
    }

    @Test
    void overTheRequestLimitComesOverloadedAndWhatWasAnsweredMakesRoom() throws Exception {
        stop();
        node.holding();
        start(2);
        var async = TaskMasterGrpc.newFutureStub(channel);
        ListenableFuture<LeaseReply> first = async.leaseTasks(lease(30));
        ListenableFuture<LeaseReply> second = async.leaseTasks(lease(30));
        await().atMost(LIMIT).until(() -> node.held.size() == 2);

        TaskMasterException refusal = refusal(() -> stub.leaseTasks(lease(30)));

        assertThat(refusal.code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(refusal.retryAfter()).isPresent();
        for (FakeRouter.Held held : node.held) {
            held.sink().reply(new Reply.Leased(List.of()));
        }
        assertThat(first.get()).isEqualTo(second.get());
        node.answeringAtOnce();
        await().atMost(LIMIT)
                .ignoreExceptions()
                .until(() -> stub.leaseTasks(lease(0)).getTasksCount() == 0);
    }

    @Test
    void aClientThatGoesAwayIsSeenByItsLongPoll() throws Exception {
        node.holding();
        ListenableFuture<LeaseReply> poll =
                TaskMasterGrpc.newFutureStub(channel).leaseTasks(lease(60));
        await().atMost(LIMIT).until(() -> node.held.size() == 1);
        FakeRouter.Held held = node.held.poll();
        assertThat(held.sink().isCancelled()).isFalse();

        poll.cancel(true);

        await().atMost(LIMIT).until(held.sink()::isCancelled);
        held.sink().reply(new Reply.Leased(List.of()));
        assertThat(server.drain(LIMIT)).as("nothing is left in flight").isTrue();
    }

    @Test
    void listingAllGroupsMergesThePartitionsInOrderAndPagesThroughAllOfThem() {
        node.answering((partition, command) -> listPartition(partition, (Command.ListQueues) command));
        var names = new ArrayList<String>();
        String token = "";
        do {
            ListReply page = stub.listQueues(ListRequest.newBuilder()
                    .setQueues(QueueSelector.newBuilder().setAllGroups(true))
                    .setMaxQueues(3)
                    .setPageToken(token)
                    .build());
            assertThat(page.getQueuesCount()).isBetween(1, 3);
            page.getQueuesList().stream()
                    .map(queue -> queue.getGroup().toStringUtf8() + "/"
                            + queue.getName().toStringUtf8())
                    .forEach(names::add);
            token = page.getNextPageToken();
        } while (!token.isEmpty());

        assertThat(names).hasSize(PARTITIONS * 5).isSorted().doesNotHaveDuplicates();
    }

    /** Lists five queues of a partition, in an order that interleaves the partitions. */
    private static Reply listPartition(int partition, Command.ListQueues list) {
        var queues = new ArrayList<Reply.Summary>();
        for (int i = 0; i < 5; i++) {
            QueueKey queue = QueueKey.of("g" + (i * 3 + partition) % 7, "q" + partition + i);
            if (list.after().isEmpty() || queue.compareTo(list.after().get()) > 0) {
                queues.add(new Reply.Summary(queue, 1, 0, 0));
            }
        }
        queues.sort(Comparator.comparing(Reply.Summary::queue));
        boolean more = queues.size() > list.maxQueues();
        return new Reply.Listed(more ? queues.subList(0, list.maxQueues()) : queues, more);
    }

    @Test
    void describingAllGroupsAddsUp() {
        node.answering((partition, command) -> {
            var queue = new Reply.Description(
                    new Reply.Summary(QueueKey.of("g" + partition, "q"), 2, 1, 0),
                    1.5,
                    0,
                    partition,
                    Optional.of(100.0),
                    Optional.of((long) partition),
                    new Counts(0, 0, 0, 1),
                    7,
                    new QueueOptions(true, 3, 1),
                    List.of());
            return new Reply.Described(List.of(queue), queue, 1);
        });

        DescribeReply reply = stub.describeQueues(DescribeRequest.newBuilder()
                .setQueues(QueueSelector.newBuilder().setAllGroups(true))
                .setMaxQueues(3)
                .build());

        assertThat(reply.getQueuesList())
                .extracting(queue -> queue.getSummary().getGroup().toStringUtf8())
                .containsExactly("g0", "g1", "g2");
        assertThat(reply.getTotal().getSummary())
                .isEqualTo(
                        QueueSummary.newBuilder().setAvailable(16).setLeased(8).build());
        assertThat(reply.getTotal().getEnqueueRate()).isEqualTo(12.0);
        assertThat(reply.getTotal().getMeanLeaseDuration())
                .isEqualTo(Duration.newBuilder().setNanos(100_000_000).build());
        assertThat(reply.getTotal().getOldestAvailableAge())
                .isEqualTo(Duration.newBuilder().setNanos(7_000_000).build());
    }

    @Test
    void aDeleteThatReachedAPartOfTheGroupsIsNotCalledSafeToRepeat() {
        node.answering((partition, command) -> {
            if (partition == 3) {
                throw new TaskMasterException(ErrorCode.PARTITION_OPENING, "opening");
            }
            return new Reply.Deleted(List.of());
        });
        DeleteRequest request = DeleteRequest.newBuilder()
                .setQueues(QueueSelector.newBuilder().setAllGroups(true).setNameRe("tmp-.*"))
                .build();

        assertThat(refusal(() -> stub.deleteQueues(request)).code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    }

    @Test
    void healthFollowsTheLifeOfTheServer() throws Exception {
        var health = HealthGrpc.newBlockingStub(channel);
        var ours = HealthCheckRequest.newBuilder()
                .setService("taskmaster.v1.TaskMaster")
                .build();
        assertThat(health.check(ours).getStatus()).isEqualTo(ServingStatus.NOT_SERVING);

        server.setServing(true);

        assertThat(health.check(ours).getStatus()).isEqualTo(ServingStatus.SERVING);
        assertThat(health.check(HealthCheckRequest.getDefaultInstance()).getStatus())
                .isEqualTo(ServingStatus.SERVING);
        assertThat(server.drain(LIMIT)).isTrue();
    }

    @Test
    void drainingRefusesLeasesThatWouldComeBackEmptyAnswersWhatIsInFlightAndRefusesWhatIsNew() throws Exception {
        node.holding();
        ListenableFuture<LeaseReply> poll =
                TaskMasterGrpc.newFutureStub(channel).leaseTasks(lease(60));
        await().atMost(LIMIT).until(() -> node.held.size() == 1);
        FakeRouter.Held held = node.held.poll();

        assertThat(server.drain(java.time.Duration.ofMillis(10))).isFalse();

        assertThat(held.sink().isCancelled()).isTrue();
        held.sink().reply(new Reply.Leased(List.of()));
        assertThatThrownBy(poll::get)
                .hasMessageContaining("UNAVAILABLE")
                .hasMessageContaining("the server is shutting down");
        assertThat(server.drain(LIMIT)).isTrue();
    }

    @Test
    void garbageOnThePortDoesNoHarm() throws Exception {
        var random = new SplittableRandom(1);
        for (int i = 0; i < 50; i++) {
            byte[] garbage = new byte[random.nextInt(1, 5000)];
            random.nextBytes(garbage);
            throwAtPort(i == 0 ? "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII) : garbage);
        }
        byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
        for (int i = 0; i < 50; i++) {
            byte[] garbage = Arrays.copyOf(preface, preface.length + 200);
            for (int at = preface.length; at < garbage.length; at++) {
                garbage[at] = (byte) random.nextInt();
            }
            throwAtPort(garbage);
        }

        assertThat(stub.updateTasks(enqueue("g", "q", "")).getSuccess()).isTrue();
    }

    private void throwAtPort(byte[] garbage) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(garbage);
        } catch (IOException e) {
            assertThat(e).as("the server may hang up early").hasMessageMatching(".*(reset|[Bb]roken pipe).*");
        }
    }

    private static TaskMasterException refusal(ThrowingCallable call) {
        StatusRuntimeException error = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(error).isNotNull();
        return ErrorMapper.fromGrpc(error.getStatus(), error.getTrailers(), Progress.SENT);
    }

    private static UpdateRequest enqueue(String group, String queue, String data) {
        return UpdateRequest.newBuilder()
                .setGroup(bytes(group))
                .addEnqueue(Enqueue.newBuilder().setQueue(bytes(queue)).setData(bytes(data)))
                .build();
    }

    private static LeaseRequest lease(int waitSeconds) {
        return LeaseRequest.newBuilder()
                .setQueues(QueueSelector.newBuilder().addNames(bytes("q")))
                .setWait(Duration.newBuilder().setSeconds(waitSeconds))
                .build();
    }

    private static ByteString bytes(String text) {
        return ByteString.copyFromUtf8(text);
    }
}
