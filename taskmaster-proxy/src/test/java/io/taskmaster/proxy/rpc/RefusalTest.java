package io.taskmaster.proxy.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.config.Limits;
import io.taskmaster.proxy.rpc.mapping.PageToken;
import io.taskmaster.proxy.rpc.mapping.UpdateMapper;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.QueueOptions;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.Release;
import io.taskmaster.v1.Renew;
import io.taskmaster.v1.UpdateRequest;
import java.util.Collections;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of every limit of the contract and of unknown values: requests at a limit are accepted, requests over it
 * refused by code and field.
 */
final class RefusalTest {

    private static final ByteString QUEUE = ByteString.copyFromUtf8("q");
    private static final Timestamp NO_TIME =
            Timestamp.newBuilder().setSeconds(Long.MAX_VALUE).build();

    private static Stream<Arguments> refused() {
        return Stream.concat(refusedUpdates(), Stream.concat(refusedLeases(), refusedReads()));
    }

    private static Stream<Arguments> refusedUpdates() {
        return Stream.of(
                row(enqueue(e -> e.clearQueue()), ErrorCode.QUEUE_NAME_EMPTY, "enqueue[0].queue"),
                row(
                        enqueue(e -> e.setQueue(bytes(Limits.NAME_BYTES + 1))),
                        ErrorCode.NAME_TOO_LONG,
                        "enqueue[0].queue"),
                row(enqueue(e -> e.setPid(bytes(Limits.PID_BYTES + 1))), ErrorCode.PID_TOO_LONG, "enqueue[0].pid"),
                row(enqueue(e -> e.setData(bytes(Limits.DATA_BYTES + 1))), ErrorCode.TASK_TOO_LARGE, "enqueue[0].data"),
                row(enqueue(e -> e.setData(bytes(20 << 20))), ErrorCode.TASK_TOO_LARGE, "enqueue[0].data"),
                row(enqueue(e -> headers(e, Limits.HEADER_ENTRIES + 1)), ErrorCode.HEADERS_TOO_LARGE, "headers"),
                row(
                        enqueue(e -> e.putHeaders("k", "é".repeat(Limits.HEADER_BYTES / 2))),
                        ErrorCode.HEADERS_TOO_LARGE,
                        "enqueue[0].headers"),
                row(enqueue(e -> e.setIfExistsValue(77)), ErrorCode.INVALID_FIELD, "enqueue[0].if_exists"),
                row(enqueue(e -> e.setNotBefore(NO_TIME)), ErrorCode.INVALID_FIELD, "enqueue[0].not_before"),
                row(
                        UpdateRequest.newBuilder().setGroup(bytes(Limits.NAME_BYTES + 1)),
                        ErrorCode.NAME_TOO_LONG,
                        "group"),
                row(UpdateRequest.newBuilder().setRequestId(bytes(65)), ErrorCode.REQUEST_ID_TOO_LONG, "request_id"),
                row(UpdateRequest.newBuilder().setServiceClassValue(9), ErrorCode.INVALID_FIELD, "service_class"),
                row(dequeues(Limits.UPDATE_ELEMENTS + 1), ErrorCode.UPDATE_TOO_LARGE, "10001 elements"),
                row(
                        UpdateRequest.newBuilder()
                                .addEnqueue(Enqueue.newBuilder().setQueue(QUEUE).setData(bytes(Limits.DATA_BYTES)))
                                .addEnqueue(Enqueue.newBuilder().setQueue(QUEUE).setData(bytes(Limits.DATA_BYTES))),
                        ErrorCode.UPDATE_TOO_LARGE,
                        "bytes"),
                row(
                        UpdateRequest.newBuilder()
                                .addDequeue(Dequeue.newBuilder().setQueue(QUEUE))
                                .addDequeue(Dequeue.newBuilder()),
                        ErrorCode.QUEUE_NAME_EMPTY,
                        "dequeue[1].queue"),
                row(
                        UpdateRequest.newBuilder()
                                .addDequeue(Dequeue.newBuilder().setQueue(QUEUE).setPid(bytes(Limits.PID_BYTES + 1))),
                        ErrorCode.PID_TOO_LONG,
                        "dequeue[0].pid"),
                row(
                        UpdateRequest.newBuilder().addRenew(Renew.newBuilder()),
                        ErrorCode.QUEUE_NAME_EMPTY,
                        "renew[0].queue"),
                row(renew(Duration.getDefaultInstance()), ErrorCode.DURATION_OUT_OF_RANGE, "renew[0].lease"),
                row(renew(seconds(-1)), ErrorCode.DURATION_OUT_OF_RANGE, "renew[0].lease"),
                row(renew(seconds(7 * 24 * 3600 + 1)), ErrorCode.DURATION_OUT_OF_RANGE, "renew[0].lease"),
                row(
                        UpdateRequest.newBuilder()
                                .addRelease(Release.newBuilder().setQueue(QUEUE).setNotBefore(NO_TIME)),
                        ErrorCode.INVALID_FIELD,
                        "release[0].not_before"),
                row(
                        UpdateRequest.newBuilder().addRelease(Release.newBuilder()),
                        ErrorCode.QUEUE_NAME_EMPTY,
                        "release[0].queue"));
    }

    private static Stream<Arguments> refusedLeases() {
        return Stream.of(
                row(LeaseRequest.newBuilder(), ErrorCode.EMPTY_SELECTOR, "queues"),
                row(lease(l -> l.setMaxTasks(Limits.LEASE_TASKS + 1)), ErrorCode.LEASE_TOO_LARGE, "max_tasks"),
                row(lease(l -> l.setMaxTasks(-1)), ErrorCode.LEASE_TOO_LARGE, "max_tasks: 4294967295"),
                row(lease(l -> l.setMaxBytes(Limits.LEASE_BYTES + 1)), ErrorCode.LEASE_TOO_LARGE, "max_bytes"),
                row(lease(l -> l.setLease(seconds(0))), ErrorCode.DURATION_OUT_OF_RANGE, "lease"),
                row(lease(l -> l.setLease(seconds(Long.MAX_VALUE))), ErrorCode.DURATION_OUT_OF_RANGE, "lease"),
                row(lease(l -> l.setLease(nanos(-5))), ErrorCode.DURATION_OUT_OF_RANGE, "lease"),
                row(lease(l -> l.setLease(nanos(1_000_000_000))), ErrorCode.DURATION_OUT_OF_RANGE, "lease"),
                row(lease(l -> l.setWait(seconds(61))), ErrorCode.DURATION_OUT_OF_RANGE, "wait"),
                row(
                        lease(l -> l.setWait(seconds(60).toBuilder().setNanos(1))),
                        ErrorCode.DURATION_OUT_OF_RANGE,
                        "wait"),
                row(lease(l -> l.setWait(seconds(-1))), ErrorCode.DURATION_OUT_OF_RANGE, "wait"),
                row(lease(l -> l.setMaxPid(bytes(Limits.PID_BYTES + 1))), ErrorCode.PID_TOO_LONG, "max_pid"),
                row(lease(l -> l.setServiceClassValue(5)), ErrorCode.INVALID_FIELD, "service_class"),
                row(lease(l -> l.setWorker("w".repeat(Limits.WORKER_BYTES + 1))), ErrorCode.NAME_TOO_LONG, "worker"),
                row(
                        lease(l -> l.getQueuesBuilder().addNames(ByteString.EMPTY)),
                        ErrorCode.QUEUE_NAME_EMPTY,
                        "queues.names[1]"),
                row(
                        lease(l -> l.getQueuesBuilder().addAllNames(Collections.nCopies(Limits.SELECTOR_NAMES, QUEUE))),
                        ErrorCode.INVALID_FIELD,
                        "queues.names"),
                row(lease(l -> l.getQueuesBuilder().setNameRe("(")), ErrorCode.BAD_PATTERN, "queues.name_re"),
                row(
                        lease(l -> l.getQueuesBuilder().setNameRe("a".repeat(Limits.PATTERN_BYTES + 1))),
                        ErrorCode.BAD_PATTERN,
                        "queues.name_re"),
                row(
                        lease(l -> l.getQueuesBuilder().setNameRe("((a{1000}){1000}){1000}")),
                        ErrorCode.BAD_PATTERN,
                        "nested repetitions"));
    }

    private static Stream<Arguments> refusedReads() {
        return Stream.of(
                row(DeleteRequest.newBuilder(), ErrorCode.EMPTY_SELECTOR, "queues"),
                row(
                        DeleteRequest.newBuilder()
                                .setQueues(QueueSelector.newBuilder().setAllGroups(true)),
                        ErrorCode.EMPTY_SELECTOR,
                        "queues"),
                row(
                        DeleteRequest.newBuilder()
                                .setQueues(QueueSelector.newBuilder()
                                        .setAllGroups(true)
                                        .setGroup(QUEUE)
                                        .addNames(QUEUE)),
                        ErrorCode.INVALID_FIELD,
                        "queues.group"),
                row(
                        ListRequest.newBuilder().setMaxQueues(Limits.LIST_QUEUES + 1),
                        ErrorCode.INVALID_FIELD,
                        "max_queues"),
                row(ListRequest.newBuilder().setPageToken("not one"), ErrorCode.BAD_PAGE_TOKEN, "page_token"),
                row(
                        ListRequest.newBuilder().setPageToken(PageToken.of(QueueKey.of("another", "q"))),
                        ErrorCode.BAD_PAGE_TOKEN,
                        "page_token"),
                row(
                        DescribeRequest.newBuilder().setMaxQueues(Limits.DESCRIBE_QUEUES + 1),
                        ErrorCode.INVALID_FIELD,
                        "max_queues"),
                row(
                        DescribeRequest.newBuilder().setLeasedSample(Limits.DESCRIBE_SAMPLES / 100 + 1),
                        ErrorCode.INVALID_FIELD,
                        "leased_sample"),
                row(
                        ConfigureRequest.newBuilder()
                                .setQueue(QUEUE)
                                .setOptions(QueueOptions.newBuilder().setWeight(Limits.QUEUE_WEIGHT + 1)),
                        ErrorCode.INVALID_FIELD,
                        "options.weight"),
                row(PeekRequest.newBuilder(), ErrorCode.QUEUE_NAME_EMPTY, "queue"),
                row(
                        PeekRequest.newBuilder().setQueue(QUEUE).setFromPid(bytes(Limits.PID_BYTES + 1)),
                        ErrorCode.PID_TOO_LONG,
                        "from_pid"),
                row(
                        PeekRequest.newBuilder().setQueue(QUEUE).setMaxTasks(Limits.PEEK_TASKS + 1),
                        ErrorCode.INVALID_FIELD,
                        "max_tasks"),
                row(
                        PeekRequest.newBuilder().setQueue(QUEUE).setMaxBytes(Limits.PEEK_BYTES + 1),
                        ErrorCode.INVALID_FIELD,
                        "max_bytes"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatIsOverALimitOrNotServedIsRefusedByName(Message request, ErrorCode code, String field) {
        TaskMasterException refusal = catchThrowableOfType(TaskMasterException.class, () -> Requests.map(request));

        assertThat(refusal).isNotNull();
        assertThat(refusal.code()).isEqualTo(code);
        assertThat(refusal).hasMessageContaining(field);
    }

    private static Stream<Arguments> accepted() {
        return Stream.of(
                argumentSet("nothing at all", UpdateRequest.getDefaultInstance()),
                argumentSet(
                        "longest queue name",
                        enqueue(e -> e.setQueue(bytes(Limits.NAME_BYTES))).build()),
                argumentSet(
                        "longest PID",
                        enqueue(e -> e.setPid(bytes(Limits.PID_BYTES))).build()),
                argumentSet(
                        "empty PID", enqueue(e -> e.setPid(ByteString.EMPTY)).build()),
                argumentSet(
                        "largest data",
                        enqueue(e -> e.setData(bytes(Limits.DATA_BYTES))).build()),
                argumentSet(
                        "most headers",
                        enqueue(e -> headers(e, Limits.HEADER_ENTRIES)).build()),
                argumentSet(
                        "largest headers",
                        enqueue(e -> e.putHeaders("kk", "é".repeat(Limits.HEADER_BYTES / 2 - 1)))
                                .build()),
                argumentSet("most elements", dequeues(Limits.UPDATE_ELEMENTS).build()),
                argumentSet("longest lease", renew(seconds(7 * 24 * 3600)).build()),
                argumentSet("shortest lease", renew(nanos(1)).build()),
                argumentSet(
                        "most tasks",
                        lease(l -> l.setMaxTasks(Limits.LEASE_TASKS)).build()),
                argumentSet("longest wait", lease(l -> l.setWait(seconds(60))).build()),
                argumentSet(
                        "a pattern with counts",
                        lease(l -> l.getQueuesBuilder().setNameRe("[a-f0-9{}]{64}-\\d{4}(-x{1,20}){3}"))
                                .build()),
                argumentSet("everything", ListRequest.getDefaultInstance()),
                argumentSet(
                        "more tasks than there can be",
                        ListRequest.newBuilder().setMinTasks(-1).build()),
                argumentSet(
                        "all groups",
                        DescribeRequest.newBuilder()
                                .setQueues(QueueSelector.newBuilder().setAllGroups(true))
                                .build()));
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void whatIsAtALimitIsTaken(Message request) {
        assertThat(Requests.map(request)).isNotNull();
    }

    @Test
    void aMessageNamesTheElementItsValueAndWhatWasExpected() {
        UpdateRequest request = UpdateRequest.newBuilder()
                .addEnqueue(Enqueue.newBuilder().setQueue(QUEUE))
                .addEnqueue(Enqueue.newBuilder().setQueue(QUEUE).setPid(bytes(5000)))
                .build();

        TaskMasterException refusal = catchThrowableOfType(TaskMasterException.class, () -> UpdateMapper.map(request));

        assertThat(refusal).hasMessage("enqueue[1].pid: 5000 bytes (expected: at most 4096)");
    }

    private static Arguments row(Message.Builder request, ErrorCode code, String field) {
        return argumentSet(code + " " + field, request.build(), code, field);
    }

    private static UpdateRequest.Builder enqueue(UnaryOperator<Enqueue.Builder> change) {
        return UpdateRequest.newBuilder()
                .addEnqueue(change.apply(Enqueue.newBuilder().setQueue(QUEUE)));
    }

    private static Enqueue.Builder headers(Enqueue.Builder enqueue, int count) {
        IntStream.range(0, count).forEach(i -> enqueue.putHeaders("k" + i, "v"));
        return enqueue;
    }

    private static UpdateRequest.Builder dequeues(int count) {
        Dequeue dequeue = Dequeue.newBuilder().setQueue(QUEUE).build();
        return UpdateRequest.newBuilder().addAllDequeue(Collections.nCopies(count, dequeue));
    }

    private static UpdateRequest.Builder renew(Duration length) {
        return UpdateRequest.newBuilder()
                .addRenew(Renew.newBuilder().setQueue(QUEUE).setLease(length));
    }

    private static LeaseRequest.Builder lease(Consumer<LeaseRequest.Builder> change) {
        LeaseRequest.Builder lease =
                LeaseRequest.newBuilder().setQueues(QueueSelector.newBuilder().addNames(QUEUE));
        change.accept(lease);
        return lease;
    }

    private static Duration seconds(long seconds) {
        return Duration.newBuilder().setSeconds(seconds).build();
    }

    private static Duration nanos(int nanos) {
        return Duration.newBuilder().setNanos(nanos).build();
    }

    private static ByteString bytes(int length) {
        return ByteString.copyFrom(new byte[length]);
    }
}
