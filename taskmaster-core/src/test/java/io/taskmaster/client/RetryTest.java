package io.taskmaster.client;

import static io.taskmaster.error.ErrorCode.DEADLINE_EXCEEDED;
import static io.taskmaster.error.ErrorCode.INVALID_FIELD;
import static io.taskmaster.error.ErrorCode.NOT_CONNECTED;
import static io.taskmaster.error.ErrorCode.OUTCOME_UNKNOWN;
import static io.taskmaster.error.ErrorCode.OVERLOADED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.ErrorCode.Advice;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.UpdateReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class RetryTest {

    private static final QueueKey QUEUE = QueueKey.of("q");
    private static final QueueSelector ALL = QueueSelector.allIn(GroupName.EMPTY);

    private final FakeServer server = new FakeServer();
    private final FakeTimer timer = new FakeTimer();
    private final TaskMasterClient client = server.client(timer);

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void updateIsRetriedOnlyIfNothingWasDone(ErrorCode code) {
        server.answer(error(code))
                .answer(UpdateReply.newBuilder().setSuccess(true).build());

        CompletableFuture<UpdateResult> future = client.enqueue(QUEUE, Bytes.of("x"));

        if (code.advice() == Advice.RETRY_LATER) {
            assertThat(future.join().success()).isTrue();
            assertThat(server.requests).hasSize(2);
        } else {
            assertFails(future, code);
            assertThat(server.requests).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void leaseIsRetriedOnlyIfNothingWasDone(ErrorCode code) {
        server.answer(error(code)).answer(LeaseReply.getDefaultInstance());

        CompletableFuture<?> future = client.lease(LeaseRequest.from(QUEUE));

        assertThat(future.isCompletedExceptionally()).isEqualTo(code.advice() != Advice.RETRY_LATER);
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"OUTCOME_UNKNOWN", "DEADLINE_EXCEEDED", "READ_FAILED", "OVERLOADED"})
    void readsAreRetriedWhateverBecameOfThem(ErrorCode code) {
        server.answer(error(code)).answer(ListReply.getDefaultInstance());
        server.answer(error(code)).answer(DescribeReply.getDefaultInstance());
        server.answer(error(code)).answer(PeekReply.getDefaultInstance());

        assertThat(client.list(ListRequest.of(ALL)).join().queues()).isEmpty();
        assertThat(client.describe(DescribeRequest.of(ALL)).join().queues()).isEmpty();
        assertThat(client.peek(PeekRequest.of(QUEUE)).join().tasks()).isEmpty();
        assertThat(server.requests).hasSize(6);
    }

    @Test
    void deleteIsNotRepeatedWhenItsOutcomeIsUnknown() {
        server.answer(error(OUTCOME_UNKNOWN));
        assertFails(client.delete(QueueSelector.of(QUEUE)), OUTCOME_UNKNOWN);
    }

    @Test
    void tooLargeAReplyIsNotAskedForAgain() {
        server.answer(error(ErrorCode.REPLY_TOO_LARGE));
        assertFails(client.list(ListRequest.of(ALL)), ErrorCode.REPLY_TOO_LARGE);
    }

    @Test
    void backOffDoublesUpToItsCap() {
        for (int i = 0; i < 8; i++) {
            server.answer(error(OVERLOADED));
        }
        server.answer(UpdateReply.newBuilder().setSuccess(true).build());

        assertThat(client.enqueue(QUEUE, Bytes.EMPTY).join().success()).isTrue();
        assertThat(timer.delays.stream().map(nanos -> nanos / 1_000_000))
                .containsExactly(20L, 40L, 80L, 160L, 320L, 640L, 1000L, 1000L);
    }

    @Test
    void serversDelayComesOnTopOfTheBackOff() {
        server.answer(new TaskMasterException(OVERLOADED, "busy", Duration.ofSeconds(3), null))
                .answer(UpdateReply.getDefaultInstance());

        client.enqueue(QUEUE, Bytes.EMPTY).join();

        assertThat(timer.delays).containsExactly(Duration.ofMillis(3020).toNanos());
    }

    @Test
    void delayBeyondTheDeadlineIsNotWaitedFor() {
        server.answer(new TaskMasterException(OVERLOADED, "busy", Duration.ofDays(200_000), null));
        assertFails(client.enqueue(QUEUE, Bytes.EMPTY), OVERLOADED);
        assertThat(timer.delays).isEmpty();
    }

    @Test
    void retriesEndWithTheDeadline() {
        for (int i = 0; i < 100; i++) {
            server.answer(error(OVERLOADED));
        }
        assertFails(client.enqueue(QUEUE, Bytes.EMPTY), OVERLOADED);
        assertThat(timer.nanoTime()).isLessThan(Duration.ofSeconds(30).toNanos());
        assertThat(server.requests).hasSizeBetween(30, 36);
    }

    @Test
    void retriesEndWithTheirNumber() {
        server.answer(error(OVERLOADED)).answer(error(OVERLOADED)).answer(error(OVERLOADED));
        RetryRule two = new RetryRule(2, Long.MAX_VALUE, Long.MAX_VALUE, () -> 0);
        try (TaskMasterClient twice = server.client(timer, two, Duration.ofSeconds(30), RequestIds.NEVER)) {
            assertFails(twice.enqueue(QUEUE, Bytes.EMPTY), OVERLOADED);
        }
        assertThat(server.requests).hasSize(3);
    }

    @Test
    void plainUnavailableAfterSendingIsAnUnknownOutcome() {
        server.answer(Status.UNAVAILABLE.asRuntimeException());
        assertFails(client.enqueue(QUEUE, Bytes.EMPTY), OUTCOME_UNKNOWN);
    }

    @Test
    void closingFailsWhatWaitsForARetry() {
        FakeTimer holding = FakeTimer.holding();
        TaskMasterClient closing = server.answer(error(OVERLOADED)).client(holding);
        CompletableFuture<UpdateResult> future = closing.enqueue(QUEUE, Bytes.EMPTY);
        assertThat(future).isNotDone();

        closing.close();

        assertFails(future, NOT_CONNECTED);
        holding.ring();
        assertThat(server.requests).hasSize(1);
    }

    @Test
    void cancelledCallIsNotRetried() {
        FakeTimer holding = FakeTimer.holding();
        try (TaskMasterClient cancelling = server.answer(error(OVERLOADED)).client(holding)) {
            CompletableFuture<UpdateResult> future = cancelling.enqueue(QUEUE, Bytes.EMPTY);
            future.cancel(true);
            holding.ring();
        }
        assertThat(server.requests).hasSize(1);
    }

    @Test
    void jitterTakesUpToHalfOfTheBackOff() {
        TaskMasterException busy = error(OVERLOADED);
        assertThat(rule(1).delayNanos(busy, false, 0, Long.MAX_VALUE)).hasValue(RetryRule.FIRST_BACKOFF_NANOS / 2);
    }

    @Test
    void callersWhoWereAskedToWaitSpreadOverHalfAsMuchAgainAndNoneComesEarlier() {
        TaskMasterException busy = new TaskMasterException(OVERLOADED, "busy", Duration.ofSeconds(10), null);
        assertThat(rule(0).delayNanos(busy, false, 0, Long.MAX_VALUE).orElseThrow())
                .isGreaterThanOrEqualTo(Duration.ofSeconds(10).toNanos());
        assertThat(rule(1).delayNanos(busy, false, 0, Long.MAX_VALUE).orElseThrow())
                .isGreaterThanOrEqualTo(Duration.ofSeconds(15).toNanos());
    }

    @Test
    void callersFaultsAreFinalEvenForReads() {
        RetryRule rule = rule(0);
        assertThat(rule.delayNanos(error(INVALID_FIELD), true, 0, Long.MAX_VALUE))
                .isEmpty();
        assertThat(rule.delayNanos(error(DEADLINE_EXCEEDED), true, 0, 0)).isEmpty();
    }

    @Test
    void attemptThatCanBeRepeatedLeavesTimeForAnother() {
        server.answer(ListReply.getDefaultInstance())
                .answer(LeaseReply.getDefaultInstance())
                .answer(UpdateReply.getDefaultInstance());

        client.list(ListRequest.of(ALL)).join();
        client.lease(LeaseRequest.from(QUEUE)).join();
        client.enqueue(QUEUE, Bytes.EMPTY).join();

        assertThat(server.deadlines.get(0)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
        assertThat(server.deadlines.subList(1, 3))
                .allSatisfy(deadline -> assertThat(deadline).isGreaterThan(Duration.ofSeconds(20)));
    }

    @Test
    void silentAttemptIsGivenUpAndSentAgain() {
        RetryRule hasty = new RetryRule(Integer.MAX_VALUE, Duration.ofMillis(30).toNanos(), Long.MAX_VALUE, () -> 0);
        try (TaskMasterClient impatient =
                server.client(Timer.SYSTEM, hasty, Duration.ofSeconds(60), RequestIds.NEVER)) {
            CompletableFuture<ListResult> future = impatient.list(ListRequest.of(ALL));
            await().until(() -> server.requests.size() >= 2);
            server.answer(ListReply.getDefaultInstance());
            assertThat(future).succeedsWithin(Duration.ofSeconds(30));
        }
    }

    @Test
    void overloadIsNotMadeWorseByMoreThanTheBudget() {
        FakeTimer frozen = FakeTimer.holding();
        int calls = 2_000;
        List<CompletableFuture<UpdateResult>> futures = new ArrayList<>();
        try (TaskMasterClient many = server.client(frozen)) {
            for (int i = 0; i < calls; i++) {
                server.answer(error(OVERLOADED));
                futures.add(many.enqueue(QUEUE, Bytes.EMPTY));
            }
            assertThat(futures)
                    .filteredOn(CompletableFuture::isDone)
                    .isNotEmpty()
                    .allSatisfy(future -> assertFails(future, OVERLOADED));
            frozen.ring();
            assertThat(server.requests).hasSizeBetween(calls + calls / 10, calls + calls / 10 + RetryBudget.BURST);
        }
    }

    private static RetryRule rule(double random) {
        return new RetryRule(1, Long.MAX_VALUE, Long.MAX_VALUE, () -> random);
    }

    private static TaskMasterException error(ErrorCode code) {
        return new TaskMasterException(code, "said so");
    }

    private static void assertFails(CompletableFuture<?> future, ErrorCode code) {
        assertThatThrownBy(future::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        TaskMasterException.class,
                        error -> assertThat(error.code()).isEqualTo(code));
    }
}
