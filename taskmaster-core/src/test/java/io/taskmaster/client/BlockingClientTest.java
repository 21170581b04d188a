package io.taskmaster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.util.concurrent.FastThreadLocalThread;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueKey;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.ConfigureReply;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.UpdateReply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class BlockingClientTest {

    private static final QueueKey QUEUE = QueueKey.of("q");

    private final FakeServer server = new FakeServer();
    private final TaskMasterClient client = server.client();
    private final BlockingClient blocking = client.blocking();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void everyMethodReturnsItsReply() {
        server.answer(UpdateReply.newBuilder().setSuccess(true).build())
                .answer(LeaseReply.getDefaultInstance())
                .answer(ListReply.getDefaultInstance())
                .answer(DescribeReply.getDefaultInstance())
                .answer(PeekReply.getDefaultInstance())
                .answer(DeleteReply.getDefaultInstance())
                .answer(BatchReply.getDefaultInstance())
                .answer(ConfigureReply.getDefaultInstance());

        assertThat(blocking.enqueue(QUEUE, Bytes.EMPTY).success()).isTrue();
        assertThat(blocking.lease(LeaseRequest.from(QUEUE))).isEmpty();
        assertThat(blocking.list(ListRequest.of(QueueSelector.all())).queues()).isEmpty();
        assertThat(blocking.describe(DescribeRequest.of(QueueSelector.all())).queues())
                .isEmpty();
        assertThat(blocking.peek(PeekRequest.of(QUEUE)).tasks()).isEmpty();
        assertThat(blocking.delete(QueueSelector.of(QUEUE))).isEmpty();
        assertThat(blocking.batch(List.of())).isEmpty();
        assertThat(blocking.configure(QUEUE, QueueOptions.DEFAULT)).isEqualTo(QueueOptions.DEFAULT);
    }

    @Test
    void errorHasTheCallersStackAndTheServersWords() {
        server.answer(new TaskMasterException(ErrorCode.BAD_PATTERN, "name_re: ( (expected: RE2)"));

        assertThatThrownBy(() -> blocking.lease(LeaseRequest.from(QUEUE)))
                .isInstanceOfSatisfying(TaskMasterException.class, error -> {
                    assertThat(error.code()).isEqualTo(ErrorCode.BAD_PATTERN);
                    assertThat(error).hasMessage("name_re: ( (expected: RE2)");
                    assertThat(error.getStackTrace())
                            .extracting(StackTraceElement::getClassName)
                            .anyMatch(name -> name.startsWith(BlockingClientTest.class.getName()));
                });
    }

    @Test
    void interruptEndsTheWaitAndStaysSet() throws InterruptedException {
        CompletableFuture<Boolean> stillSet = new CompletableFuture<>();
        CompletableFuture<ErrorCode> code = new CompletableFuture<>();
        Thread waiter = Thread.ofVirtual().start(() -> {
            try {
                blocking.lease(LeaseRequest.from(QUEUE).maxWait(Duration.ofSeconds(60)));
            } catch (TaskMasterException error) {
                code.complete(error.code());
            }
            stillSet.complete(Thread.currentThread().isInterrupted());
        });
        await().until(() -> !server.requests.isEmpty());

        waiter.interrupt();
        waiter.join();

        assertThat(code).isCompletedWithValue(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(stillSet).isCompletedWithValue(true);
        await().until(() -> server.cancelled.get() == 1);
    }

    @Test
    void networkThreadIsNotBlocked() throws InterruptedException {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread network = new FastThreadLocalThread(() -> {
            try {
                blocking.enqueue(QUEUE, Bytes.EMPTY);
            } catch (IllegalStateException refused) {
                thrown.complete(refused);
            }
        });
        network.start();
        network.join();

        assertThat(thrown).isCompleted();
        assertThat(server.requests).isEmpty();
    }

    @Test
    void silentServerIsGivenUpAtTheDeadline() {
        try (TaskMasterClient hasty =
                server.client(Timer.SYSTEM, FakeServer.RULE, Duration.ofMillis(30), RequestIds.NEVER)) {
            assertThatThrownBy(() -> hasty.blocking().enqueue(QUEUE, Bytes.EMPTY))
                    .isInstanceOfSatisfying(
                            TaskMasterException.class,
                            error -> assertThat(error.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
        }
    }

    @Test
    void longPollHasItsWaitOnTopOfTheDeadline() {
        server.answer(LeaseReply.getDefaultInstance());
        client.lease(LeaseRequest.from(QUEUE).maxWait(Duration.ofSeconds(60))).join();
        assertThat(server.deadlines.getLast()).isBetween(Duration.ofSeconds(85), Duration.ofSeconds(90));
    }
}
