package io.taskmaster.testkit.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the real server and client, without threads. */
final class VirtualServerTest {

    private static final QueueKey QUEUE = QueueKey.of("shop", "orders");
    private static final Duration NETWORK_DELAY = Duration.ofMillis(3);

    private final VirtualTime time = new VirtualTime(new SplittableRandom(1));
    private final TimeDriver timeDriver = new TimeDriver(time);
    private final VirtualServer server = new VirtualServer(time, new SplittableRandom(2));
    private final TaskMasterClient client =
            TaskMasterClient.builder("kit").build(server.wire(NETWORK_DELAY::toNanos), time, () -> 0.5);

    @BeforeEach
    void open() {
        timeDriver.await(server.open());
    }

    private void enqueue(String pid) {
        assertThat(timeDriver
                        .await(client.enqueue(QUEUE, Pid.of(pid), Bytes.of("data")))
                        .success())
                .isTrue();
    }

    @Test
    void anAnswerTakesTheWayThereAndBack() {
        enqueue("1");
        assertThat(time.elapsed()).isEqualTo(NETWORK_DELAY.multipliedBy(2));
    }

    @Test
    void aLongPollEndsWithATask() {
        CompletableFuture<List<LeasedTask>> poll =
                client.lease(LeaseRequest.from(QUEUE).maxWait(Duration.ofSeconds(60)));
        timeDriver.pass(Duration.ofSeconds(30));
        assertThat(poll).isNotDone();
        enqueue("1");
        assertThat(timeDriver.await(poll)).hasSize(1);
        assertThat(time.elapsed()).isLessThan(Duration.ofSeconds(31));
    }

    @Test
    void aLongPollEndsInTime() {
        assertThat(timeDriver.await(client.lease(LeaseRequest.from(QUEUE).maxWait(Duration.ofSeconds(60)))))
                .isEmpty();
        assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(60).plus(NETWORK_DELAY.multipliedBy(2)));
    }

    @Test
    void aServerAtRestDoesNothingUntilTheYear9999() {
        Update update = Update.in(QUEUE.group())
                .enqueue(Update.Enqueue.of(QUEUE.name(), Pid.of("far"), Bytes.of("data"))
                        .notBefore(Instant.parse("9999-12-31T23:59:59Z")))
                .build();
        assertThat(timeDriver.await(client.update(update)).success()).isTrue();
        timeDriver.pass(Duration.ofHours(1));
        long steps = time.steps();
        timeDriver.pass(Duration.ofDays(365));
        timeDriver.await(server.restart());
        timeDriver.pass(Duration.ofDays(365));
        assertThat(time.steps() - steps).isLessThan(100);
        assertThat(timeDriver.await(client.lease(LeaseRequest.from(QUEUE)))).isEmpty();
    }

    @Test
    void waitsAndDeadlinesOfAnyLengthAreRefusedByTheServerOrSaturate() {
        TaskMasterClient patient = TaskMasterClient.builder("kit")
                .deadline(Duration.ofSeconds(Long.MAX_VALUE))
                .attemptDeadline(Duration.ofSeconds(Long.MAX_VALUE))
                .dedupWindow(Duration.ofSeconds(Long.MAX_VALUE))
                .build(server.wire(NETWORK_DELAY::toNanos), time, () -> 0.5);
        enqueue("1");
        for (Duration wait : List.of(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(Long.MIN_VALUE))) {
            assertThatThrownBy(() -> timeDriver.await(
                            patient.lease(LeaseRequest.from(QUEUE).maxWait(wait))))
                    .hasCauseInstanceOf(TaskMasterException.class)
                    .cause()
                    .extracting(error -> ((TaskMasterException) error).code())
                    .isEqualTo(ErrorCode.DURATION_OUT_OF_RANGE);
        }
        assertThat(timeDriver.await(patient.lease(LeaseRequest.from(QUEUE)))).hasSize(1);
    }

    @Test
    void aCallThatIsCancelledLeasesNothing() {
        CompletableFuture<List<LeasedTask>> poll =
                client.lease(LeaseRequest.from(QUEUE).maxWait(Duration.ofSeconds(60)));
        timeDriver.pass(Duration.ofSeconds(1));
        poll.cancel(true);
        enqueue("1");
        assertThat(timeDriver.await(client.lease(LeaseRequest.from(QUEUE)))).hasSize(1);
    }

    @Test
    void aLeaseEndsToTheMillisecond() {
        enqueue("1");
        LeaseRequest minute = LeaseRequest.from(QUEUE).length(Duration.ofMinutes(1));
        LeasedTask first = timeDriver.await(client.lease(minute)).getFirst();
        timeDriver.pass(Duration.between(time.now(), first.leaseExpires())
                .minus(NETWORK_DELAY)
                .minusMillis(1));
        assertThat(timeDriver.await(client.lease(minute))).isEmpty();
        assertThat(timeDriver.await(client.lease(minute)))
                .singleElement()
                .satisfies(second -> assertThat(second.attempt()).isEqualTo(2));
    }

    @Test
    void whatBreaksTheContractIsRefused() {
        CompletableFuture<?> tooLong = client.enqueue(QUEUE, Pid.wrap(new byte[100_000]), Bytes.of("data"));
        assertThatThrownBy(() -> timeDriver.await(tooLong))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        TaskMasterException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PID_TOO_LONG));
    }

    @Test
    void aServerThatComesBackHasWhatItAcknowledged() {
        enqueue("1");
        LeasedTask leased =
                timeDriver.await(client.lease(LeaseRequest.from(QUEUE))).getFirst();
        CompletableFuture<List<LeasedTask>> poll =
                client.lease(LeaseRequest.from(QUEUE).maxWait(Duration.ofSeconds(60)));
        timeDriver.pass(Duration.ofSeconds(5));
        timeDriver.await(server.restart());
        enqueue("2");
        assertThat(poll).failsWithin(Duration.ZERO);
        assertThat(timeDriver.await(client.dequeue(leased)).success()).isTrue();
        assertThat(timeDriver.await(client.lease(LeaseRequest.from(QUEUE).maxTasks(10))))
                .extracting(LeasedTask::pid)
                .containsExactly(Pid.of("2"));
    }
}
