package io.taskmaster.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.RequestIds;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.v1.UpdateRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of planned faults, as clients see them. */
final class CallFaultsTest {

    private static final TestServer SERVER = TestServer.inMemory();

    private final QueueKey queue = QueueKey.of("group", "queue " + System.identityHashCode(this));
    private final CallFaults faults = SERVER.faults();
    private TaskMasterClient plain;

    @BeforeEach
    void connect() {
        plain = TaskMasterClient.builder(SERVER.target())
                .maxRetries(0)
                .requestIds(RequestIds.NEVER)
                .build();
    }

    @AfterEach
    void disconnect() {
        plain.close();
        assertThat(faults.pending()).isZero();
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @Test
    void whatIsRefusedIsNotDoneAndDoneWhenItIsAskedAgain() {
        faults.refuse(CallKind.UPDATE, 1);

        assertThatThrownBy(() -> plain.blocking().enqueue(queue, Bytes.of("refused")))
                .isInstanceOfSatisfying(TaskMasterException.class, error -> {
                    assertThat(error.code()).isEqualTo(ErrorCode.PARTITION_OPENING);
                    assertThat(error.retryAfter()).isPresent();
                });
        assertThat(leased()).isEmpty();

        faults.refuse(CallKind.UPDATE, 2, ErrorCode.OVERLOADED);
        assertThat(SERVER.client()
                        .blocking()
                        .enqueue(queue, Bytes.of("at last"))
                        .success())
                .isTrue();
        assertThat(leased()).hasSize(1);
    }

    @Test
    void whatHasLostItsAnswerIsDone() {
        faults.loseReplies(CallKind.UPDATE, 1);

        assertThatThrownBy(() -> plain.blocking().enqueue(queue, Bytes.of("done")))
                .isInstanceOfSatisfying(
                        TaskMasterException.class,
                        error -> assertThat(error.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN));

        assertThat(leased()).hasSize(1);
    }

    @Test
    void aClientThatNamesItsUpdatesIsNotTroubledByLostAnswers() {
        faults.loseReplies(CallKind.UPDATE, 3);

        assertThat(SERVER.client().blocking().enqueue(queue, Bytes.of("once")).success())
                .isTrue();

        assertThat(leased()).hasSize(1);
    }

    @Test
    void anAnswerThatIsHeldBelongsToSomethingDone() throws InterruptedException {
        HeldReplies held = faults.holdReplies(CallKind.UPDATE, 1);
        var enqueued = plain.enqueue(queue, Bytes.of("done"));
        held.await(1, Duration.ofSeconds(20));

        assertThat(leased()).hasSize(1);
        assertThat(enqueued).isNotDone();
        held.close();
        assertThat(enqueued).succeedsWithin(Duration.ofSeconds(20));
    }

    @Test
    void whatIsHeldIsAnsweredBeforeTheServerStops() throws InterruptedException {
        try (TestServer another = TestServer.inMemory()) {
            HeldReplies held = another.faults().holdReplies(CallKind.UPDATE, 1);
            var enqueued = another.client().enqueue(queue, Bytes.of("done"));
            held.await(1, Duration.ofSeconds(20));

            another.stop();

            assertThat(enqueued).succeedsWithin(Duration.ofSeconds(20));
            assertThat(held.count()).isZero();
        }
    }

    @Test
    void aLateAnswerIsTooLateForWhoDoesNotWaitThatLong() {
        faults.delayReplies(CallKind.UPDATE, 1, Duration.ofSeconds(30));
        try (TaskMasterClient hasty = TaskMasterClient.builder(SERVER.target())
                .deadline(Duration.ofMillis(300))
                .maxRetries(0)
                .build()) {
            assertThatThrownBy(() -> hasty.blocking().enqueue(queue, Bytes.of("done")))
                    .isInstanceOfSatisfying(
                            TaskMasterException.class,
                            error -> assertThat(error.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
        }
        assertThat(leased()).hasSize(1);

        faults.delayReplies(CallKind.UPDATE, 1, Duration.ofMillis(1));
        assertThat(plain.blocking().enqueue(queue, Bytes.of("done")).success()).isTrue();
    }

    @Test
    void faultsAreForTheCallsThatTheyWereAskedFor() {
        faults.refuse(
                request -> request instanceof UpdateRequest update && update.getDequeueCount() > 0,
                1,
                ErrorCode.OVERLOADED);
        plain.blocking().enqueue(queue, Pid.of("1"), Bytes.EMPTY);
        LeasedTask task = leased().getFirst();
        assertThat(faults.pending()).isEqualTo(1);

        assertThatThrownBy(() -> plain.blocking().dequeue(task)).isInstanceOf(TaskMasterException.class);
        assertThat(plain.blocking().dequeue(task).success()).isTrue();
    }

    @Test
    void whatNobodyHasSeenCanBeTakenBack() {
        faults.refuse(CallKind.ANY, 5);
        faults.clear();

        assertThat(plain.blocking().enqueue(queue, Bytes.EMPTY).success()).isTrue();
    }

    @Test
    void aRefusalDoesNotSayThatTheOutcomeIsUnknown() {
        assertThatThrownBy(() -> faults.refuse(CallKind.ANY, 1, ErrorCode.OUTCOME_UNKNOWN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("code: OUTCOME_UNKNOWN (expected: a code that means that nothing was done)");
        assertThatThrownBy(() -> faults.refuse(CallKind.ANY, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("times: 0 (expected: 1 or more)");
    }

    private List<LeasedTask> leased() {
        return plain.blocking().lease(LeaseRequest.from(queue).maxTasks(10));
    }
}
