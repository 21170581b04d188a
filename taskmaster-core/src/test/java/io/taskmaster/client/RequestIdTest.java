package io.taskmaster.client;

import static io.taskmaster.error.ErrorCode.DEADLINE_EXCEEDED;
import static io.taskmaster.error.ErrorCode.DEDUP_FULL;
import static io.taskmaster.error.ErrorCode.OUTCOME_UNKNOWN;
import static io.taskmaster.error.ErrorCode.OVERLOADED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.ConfigureReply;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the assignment of request ids, and of calls with an unknown outcome. */
final class RequestIdTest {

    private static final QueueKey QUEUE = QueueKey.of("q");
    private static final QueueName NAME = QUEUE.name();
    private static final Pid PID = Pid.of("p");
    private static final LeasedTask TASK =
            new LeasedTask(QUEUE, PID, Bytes.EMPTY, Map.of(), 7, Instant.EPOCH, 1, Instant.EPOCH);
    private static final UpdateReply DONE =
            UpdateReply.newBuilder().setSuccess(true).build();

    private final FakeServer server = new FakeServer();
    private final FakeTimer timer = new FakeTimer();
    private final TaskMasterClient client = server.client(timer, RequestIds.WHERE_NEEDED);

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    static Stream<Update> idempotent() {
        return Stream.of(
                update().dequeue(TASK).build(),
                update().dequeue(TASK).enqueue(NAME, Bytes.EMPTY).build(),
                update().dequeue(TASK).dequeue(NAME, PID, Update.UNCONDITIONAL).build(),
                update().release(TASK).enqueue(NAME, PID, Bytes.EMPTY).build(),
                update().renew(TASK, Duration.ofSeconds(1)).build());
    }

    static Stream<Update> inNeed() {
        return Stream.of(
                update().enqueue(NAME, Bytes.EMPTY).build(),
                update().enqueue(NAME, PID, Bytes.EMPTY).build(),
                update().dequeue(NAME, PID, Update.UNCONDITIONAL).build(),
                update().release(NAME, PID, Update.UNCONDITIONAL).build(),
                update().renew(TASK, Duration.ofSeconds(1))
                        .enqueue(NAME, PID, Bytes.EMPTY)
                        .build());
    }

    @ParameterizedTest
    @MethodSource("inNeed")
    void updateThatCouldBeAppliedTwiceGetsAnIdAndIsRepeatedUnderIt(Update update) {
        server.answer(error(OUTCOME_UNKNOWN))
                .answer(Status.UNAVAILABLE.asRuntimeException())
                .answer(error(DEADLINE_EXCEEDED))
                .answer(error(DEDUP_FULL))
                .answer(DONE);

        assertThat(client.update(update).join().success()).isTrue();

        assertThat(ids()).containsExactly("id 1", "id 1", "id 1", "id 1", "id 1");
    }

    @ParameterizedTest
    @MethodSource("idempotent")
    void idempotentUpdateIsRepeatedWithoutAnId(Update update) {
        server.answer(error(OUTCOME_UNKNOWN)).answer(DONE);

        assertThat(client.update(update).join().success()).isTrue();

        assertThat(ids()).containsExactly("", "");
    }

    @Test
    void everyCallHasItsOwnIdAndTheCallersIsKept() {
        server.answer(DONE).answer(DONE).answer(error(OUTCOME_UNKNOWN)).answer(DONE);

        client.enqueue(QUEUE, Bytes.EMPTY).join();
        client.enqueue(QUEUE, Bytes.EMPTY).join();
        client.update(update().enqueue(NAME, Bytes.EMPTY)
                        .requestId(RequestId.of("mine"))
                        .build())
                .join();

        assertThat(ids()).containsExactly("id 1", "id 2", "mine", "mine");
    }

    @Test
    void callersIdMakesAnUpdateRepeatableAlsoWhereTheClientGivesNone() {
        server.answer(error(OUTCOME_UNKNOWN)).answer(DONE);
        try (TaskMasterClient without = server.client(timer, RequestIds.NEVER)) {
            without.update(update().enqueue(NAME, Bytes.EMPTY)
                            .requestId(RequestId.of("mine"))
                            .build())
                    .join();
        }
        assertThat(ids()).containsExactly("mine", "mine");
    }

    @Test
    void randomIdsHave16BytesAndDiffer() {
        RequestIdRule rule = RequestIdRule.of(RequestIds.ALWAYS);
        Update update = update().dequeue(TASK).build();
        RequestId first = rule.identify(update).requestId().orElseThrow();
        assertThat(first.value().size()).isEqualTo(16);
        assertThat(rule.identify(update).requestId()).isNotEmpty().get().isNotEqualTo(first);
    }

    @Test
    void leasesThatAreGoneAfterAnUnknownOutcomeDoNotSettleIt() {
        server.answer(error(OUTCOME_UNKNOWN)).answer(dequeueRefused(io.taskmaster.v1.Status.NOT_FOUND));
        assertFails(client.dequeue(TASK), OUTCOME_UNKNOWN);

        server.answer(error(OUTCOME_UNKNOWN)).answer(dequeueRefused(io.taskmaster.v1.Status.LEASE_LOST));
        assertFails(client.dequeue(TASK), OUTCOME_UNKNOWN);
    }

    @Test
    void leaseThatStillHoldsAfterAnUnknownOutcomeShowsThatNothingWasDone() {
        server.answer(error(OUTCOME_UNKNOWN)).answer(dequeueRefused(io.taskmaster.v1.Status.ABORTED));
        assertThat(client.dequeue(TASK).join().success()).isFalse();
    }

    @Test
    void lostLeaseIsAReplyWhenNothingWasUnknown() {
        server.answer(error(OVERLOADED)).answer(dequeueRefused(io.taskmaster.v1.Status.LEASE_LOST));
        assertThat(client.dequeue(TASK).join().success()).isFalse();
    }

    @Test
    void refusalUnderAnIdIsTheTruth() {
        server.answer(error(OUTCOME_UNKNOWN)).answer(dequeueRefused(io.taskmaster.v1.Status.LEASE_LOST));
        try (TaskMasterClient always = server.client(timer, RequestIds.ALWAYS)) {
            assertThat(always.dequeue(TASK).join().success()).isFalse();
        }
        assertThat(ids()).containsExactly("id 1", "id 1");
    }

    @Test
    void errorAfterAnUnknownOutcomeDoesNotSayThatNothingWasDone() {
        server.answer(error(OUTCOME_UNKNOWN))
                .answer(new TaskMasterException(OVERLOADED, "busy", Duration.ofDays(1), null));

        assertThatThrownBy(client.enqueue(QUEUE, Bytes.EMPTY)::join)
                .cause()
                .isInstanceOfSatisfying(TaskMasterException.class, error -> {
                    assertThat(error.code()).isEqualTo(OUTCOME_UNKNOWN);
                    assertThat(error).hasMessageEndingWith("busy").hasCauseInstanceOf(TaskMasterException.class);
                });
    }

    @Test
    void nothingIsRepeatedWhenTheServerMayHaveForgottenTheId() {
        for (int i = 0; i < 1_000; i++) {
            server.answer(error(OUTCOME_UNKNOWN));
        }
        try (TaskMasterClient patient =
                server.client(timer, FakeServer.RULE, Duration.ofDays(1), RequestIds.WHERE_NEEDED)) {
            assertFails(patient.enqueue(QUEUE, Bytes.EMPTY), OUTCOME_UNKNOWN);
        }
        assertThat(timer.nanoTime())
                .isBetween(
                        Duration.ofSeconds(110).toNanos(), Duration.ofMinutes(2).toNanos());
    }

    @Test
    void refusedUpdateUnderAnIdMayWaitLongerThanTheServerRemembers() {
        server.answer(new TaskMasterException(DEDUP_FULL, "full", Duration.ofMinutes(5), null))
                .answer(DONE);
        try (TaskMasterClient patient =
                server.client(timer, FakeServer.RULE, Duration.ofDays(1), RequestIds.WHERE_NEEDED)) {
            assertThat(patient.enqueue(QUEUE, Bytes.EMPTY).join().success()).isTrue();
        }
    }

    @Test
    void optionsAreSetAgain() {
        server.answer(error(OUTCOME_UNKNOWN)).answer(ConfigureReply.getDefaultInstance());
        assertThat(client.configure(QUEUE, QueueOptions.DEFAULT).join()).isEqualTo(QueueOptions.DEFAULT);
    }

    @Test
    void batchOfUpdatesIsRepeatedUnderTheSameIds() {
        BatchReply done = BatchReply.newBuilder()
                .addResults(BatchReply.Result.newBuilder().setUpdate(DONE))
                .addResults(BatchReply.Result.newBuilder().setUpdate(dequeueRefused(io.taskmaster.v1.Status.NOT_FOUND)))
                .addResults(BatchReply.Result.newBuilder()
                        .setError(io.taskmaster.v1.Error.newBuilder().setCode(8).setReason("OVERLOADED")))
                .build();
        server.answer(error(OUTCOME_UNKNOWN)).answer(done);
        Update fifo = update().enqueue(NAME, Bytes.EMPTY).build();

        List<BatchResult> results = client.batch(
                        List.of(fifo, update().dequeue(TASK).build(), fifo))
                .join();

        assertThat(results.get(0)).isInstanceOf(BatchResult.Updated.class);
        assertThat(results.subList(1, 3))
                .allSatisfy(result ->
                        assertThat(((BatchResult.Failed) result).error().code()).isEqualTo(OUTCOME_UNKNOWN));
        assertThat(server.requests).hasSize(2);
        assertThat(server.requests.get(1)).isEqualTo(server.requests.get(0));
        assertThat(((BatchRequest) server.requests.get(0)).getOperationsList())
                .extracting(operation -> operation.getUpdate().getRequestId().toStringUtf8())
                .containsExactly("id 1", "", "id 2");
    }

    @Test
    void batchWithALeaseIsNotRepeatedWhenItsOutcomeIsUnknown() {
        server.answer(error(OUTCOME_UNKNOWN));
        assertFails(client.batch(List.of(LeaseRequest.from(QUEUE))), OUTCOME_UNKNOWN);
        assertThat(server.requests).hasSize(1);
    }

    private List<String> ids() {
        return server.requests.stream()
                .map(request -> ((UpdateRequest) request).getRequestId().toStringUtf8())
                .toList();
    }

    private static UpdateBuilder update() {
        return Update.inDefaultGroup();
    }

    private static UpdateReply dequeueRefused(io.taskmaster.v1.Status status) {
        return UpdateReply.newBuilder().addDequeueStatus(status).build();
    }

    private static TaskMasterException error(ErrorCode code) {
        return new TaskMasterException(code, "said so");
    }

    private static void assertFails(CompletableFuture<?> future, ErrorCode code) {
        assertThatThrownBy(future::join)
                .cause()
                .isInstanceOfSatisfying(
                        TaskMasterException.class,
                        error -> assertThat(error.code()).isEqualTo(code));
    }
}
