package io.taskmaster.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.RequestId;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.TaskMasterGrpc;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of a server in this process, whose clock, starts and stops are controlled by the test. */
final class TestServerTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final QueueKey QUEUE = QueueKey.of("group", "queue");
    private static final LeaseRequest ONE = LeaseRequest.from(QUEUE).length(MINUTE);

    @TempDir
    private Path folder = Path.of("");

    @Test
    void aLeaseEndsWhenTimeIsMovedPastItsEnd() {
        try (TestServer server = TestServer.inMemory()) {
            BlockingClient tasks = server.client().blocking();
            tasks.enqueue(QUEUE, Pid.of("1"), Bytes.of("one"));
            LeasedTask first = tasks.lease(ONE).getFirst();

            assertThat(tasks.lease(ONE)).isEmpty();
            server.advance(MINUTE);
            LeasedTask second = tasks.lease(ONE).getFirst();

            assertThat(second.pid()).isEqualTo(first.pid());
            assertThat(second.attempt()).isEqualTo(2);
            assertThat(tasks.dequeue(first).success()).isFalse();
            assertThat(tasks.dequeue(second).success()).isTrue();
        }
    }

    @Test
    void aDelayedTaskIsThereWhenItsTimeHasCome() {
        try (TestServer server = TestServer.inMemory()) {
            BlockingClient tasks = server.client().blocking();
            tasks.update(Update.in(QUEUE.group())
                    .enqueue(Enqueue.of(QUEUE.name(), Pid.of("1"), Bytes.EMPTY)
                            .notBefore(server.now().plus(Duration.ofDays(3))))
                    .build());

            assertThat(tasks.lease(ONE)).isEmpty();
            server.advance(Duration.ofDays(3));

            assertThat(tasks.lease(ONE)).hasSize(1);
        }
    }

    @Test
    void whoWaitsForATaskGetsItAsSoonAsTimeIsMoved() {
        try (TestServer server = TestServer.inMemory()) {
            BlockingClient tasks = server.client().blocking();
            tasks.enqueue(QUEUE, Pid.of("1"), Bytes.EMPTY);
            tasks.lease(ONE.length(Duration.ofSeconds(30)));
            CompletableFuture<List<LeasedTask>> waiting = server.client().lease(ONE.maxWait(MINUTE));
            // A later call on the same connection that is answered shows that the server has received the one before
            // it.
            assertThat(tasks.lease(ONE)).isEmpty();

            server.advance(Duration.ofSeconds(30));

            assertThat(waiting)
                    .succeedsWithin(Duration.ofSeconds(20))
                    .satisfies(leased -> assertThat(leased).hasSize(1));
        }
    }

    @Test
    void timeThatStandsStillPassesOnlyWhenItIsMoved() {
        Instant noon = Instant.parse("2026-11-21T12:00:00Z");
        try (TestServer server = TestServer.builder().standingAt(noon).start()) {
            BlockingClient tasks = server.client().blocking();
            tasks.enqueue(QUEUE, Pid.of("1"), Bytes.EMPTY);

            assertThat(tasks.lease(ONE).getFirst().leaseExpires()).isEqualTo(noon.plus(MINUTE));
            server.advance(MINUTE.minusMillis(1));
            assertThat(tasks.lease(ONE)).isEmpty();
            server.advance(Duration.ofMillis(1));
            assertThat(tasks.lease(ONE).getFirst().leaseExpires()).isEqualTo(noon.plus(MINUTE.multipliedBy(2)));

            // A wait by this clock ends only when the clock is moved.
            QueueKey another = QueueKey.of("group", "another");
            var waiting = server.client().lease(LeaseRequest.from(another).maxWait(Duration.ofMillis(50)));
            assertThat(tasks.lease(ONE)).isEmpty();
            server.advance(Duration.ofMillis(50));
            assertThat(waiting).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(List.of());
        }
    }

    @Test
    void requestIdsAreForgottenAfterTheirWindow() {
        try (TestServer server = TestServer.builder().set("dedup.window", "10s").start()) {
            Update named = Update.in(QUEUE.group())
                    .enqueue(QUEUE.name(), Bytes.of("once"))
                    .requestId(RequestId.of("a name"))
                    .build();
            BlockingClient tasks = server.client().blocking();
            tasks.update(named);
            tasks.update(named);
            assertThat(available(tasks)).isEqualTo(1);

            server.advance(Duration.ofMinutes(2));
            tasks.update(named);

            assertThat(available(tasks)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasAcknowledgedSurvivesARestartAndACrash(boolean onDisk) {
        TestServerBuilder builder = TestServer.builder();
        try (TestServer server = (onDisk ? builder.onDisk(folder) : builder).start()) {
            BlockingClient tasks = server.client().blocking();
            String target = server.target();
            tasks.enqueue(QUEUE, Pid.of("1"), Bytes.of("one"));
            tasks.enqueue(QUEUE, Pid.of("2"), Bytes.of("two"));
            LeasedTask leased = tasks.lease(ONE).getFirst();

            server.restart();
            assertThat(tasks.list(ListRequest.of(QueueSelector.all())).queues())
                    .containsExactly(new QueueSummary(QUEUE, 1, 1, 0));
            assertThat(tasks.dequeue(leased).success()).isTrue();
            LeasedTask second = tasks.lease(ONE).getFirst();
            server.crash();
            server.start();

            assertThat(server.target()).isEqualTo(target);
            assertThat(tasks.list(ListRequest.of(QueueSelector.all())).queues())
                    .containsExactly(new QueueSummary(QUEUE, 0, 1, 0));
            assertThat(tasks.dequeue(second).success()).isTrue();
        }
    }

    @Test
    void timeMovesWhileTheServerIsDown() {
        try (TestServer server = TestServer.inMemory()) {
            BlockingClient tasks = server.client().blocking();
            tasks.enqueue(QUEUE, Pid.of("1"), Bytes.of("one"));
            tasks.lease(ONE);

            server.crash();
            server.advance(MINUTE);
            server.start();

            assertThat(tasks.lease(ONE)).hasSize(1);
        }
    }

    @Test
    void aCrashBreaksOffWhatIsInFlight() {
        try (TestServer server = TestServer.inMemory();
                HeldReplies held = server.faults().holdReplies(CallKind.UPDATE, 1)) {
            var done = server.client().enqueue(QUEUE, Bytes.of("done, and nobody knows"));
            await().until(() -> held.count() == 1);

            server.crash();
            server.start();

            // The client has given the update a request id, so it retries.
            assertThat(done).succeedsWithin(Duration.ofSeconds(20));
            assertThat(available(server.client().blocking())).isEqualTo(1);
        }
    }

    @Test
    void stubsAndHttpReachTheSameServer() throws IOException, InterruptedException {
        try (TestServer server = TestServer.inMemory()) {
            server.client().blocking().enqueue(QUEUE, Pid.of("1"), Bytes.EMPTY);

            ListReply listed = TaskMasterGrpc.newBlockingStub(server.channel())
                    .listQueues(io.taskmaster.v1.ListRequest.newBuilder()
                            .setQueues(
                                    io.taskmaster.v1.QueueSelector.newBuilder().setAllGroups(true))
                            .build());
            assertThat(listed.getQueuesList()).hasSize(1);
            HttpRequest health = HttpRequest.newBuilder(URI.create("http://" + server.httpTarget() + "/healthz"))
                    .build();
            try (HttpClient http = HttpClient.newHttpClient()) {
                assertThat(http.send(health, BodyHandlers.ofString()).statusCode())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void timeDoesNotGoBack() {
        try (TestServer server = TestServer.inMemory()) {
            assertThatThrownBy(() -> server.advance(Duration.ofSeconds(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("advance: PT-1S (expected: zero or more)");
        }
    }

    private static long available(BlockingClient tasks) {
        return tasks.list(ListRequest.of(QueueSelector.all())).queues().stream()
                .mapToLong(QueueSummary::available)
                .sum();
    }
}
