package io.taskmaster.server.process;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.taskmaster.client.DescribeRequest;
import io.taskmaster.client.Flow;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.QueueDescription;
import io.taskmaster.client.QueueOrder;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.RankRequest;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.tests.Profile;
import io.taskmaster.v1.HistoryPoint;
import io.taskmaster.v1.HistoryRequest;
import io.taskmaster.v1.InsightGrpc;
import io.taskmaster.v1.QueueFamilyName;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of the figures of a real server against the counts of its only client. Every build judges sizes and counts,
 * which are exact. The profile {@code slow} runs long enough to judge rates and ages, too, which may differ by 2 %.
 */
final class AgreementIT {

    private static final Percentage CLOSE = withinPercentage(2);
    private static final Duration LOAD = Duration.ofSeconds(Profile.isSlow() ? 32 : 4);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(Profile.isSlow() ? 20 : 1);
    private static final Duration HELD = Duration.ofSeconds(Profile.isSlow() ? 5 : 1);
    private static final Duration SHORT_LEASE = Duration.ofSeconds(1);
    /** More enqueues than a queue at rest has seen. */
    private static final int ENQUEUED = 200;

    private static final int LEASED = 20;
    private static final int DELAYED = 10;
    private static final int RAN_OUT = 5;
    private static final int HELD_TASKS = 5;

    private static final GroupName GROUP = GroupName.of("g");
    private static final QueueName FETCH = QueueName.of("fetch");
    private static final QueueName INDEX = QueueName.of("index");
    private static final QueueName REST = QueueName.of("rest");
    private static final QueueName HELD_LONG = QueueName.of("held");

    private final OwnCount fetchEnqueued = new OwnCount();
    private final OwnCount fetchLeased = new OwnCount();
    private final OwnCount handedOn = new OwnCount();
    private final OwnCount indexDequeued = new OwnCount();

    @Test
    void theServerSeesWhatItsClientHasDone(@TempDir Path folder) throws Exception {
        try (var server = ForkedServer.start(folder.resolve("data"), Files.createDirectories(folder.resolve("logs")));
                TaskMasterClient client = TaskMasterClient.connect(server.awaitServing())) {
            Instant restsSince = awaitQuiescent(client);
            AtomicBoolean running = new AtomicBoolean(true);
            Instant began = Instant.now();
            CompletableFuture<Void> load = CompletableFuture.runAsync(() -> crawl(client, running));
            hold(client);
            liveRatesAgree(client);
            pass(Duration.between(Instant.now(), began.plus(LOAD)));
            await().until(() -> fetchEnqueued.total() >= ENQUEUED);
            running.set(false);
            load.join();

            describedAgree(client, restsSince);
            rankedAgree(client);
            countsAgree(client.blocking().flow());
            if (Profile.isSlow()) {
                historyAgrees(server.awaitServing());
            }
            metricsAgree(server);
        }
    }

    /** Creates tasks that stay as they are: some available, some leased, some delayed, and some whose lease expires. */
    private static Instant awaitQuiescent(TaskMasterClient client) {
        UpdateBuilder update = Update.in(GROUP);
        for (int i = 0; i < LEASED + RAN_OUT; i++) {
            update.enqueue(REST, Pid.of("task %03d".formatted(i)), Bytes.of("data"));
        }
        for (int i = 0; i < DELAYED; i++) {
            update.enqueue(Update.Enqueue.of(REST, Pid.of("later %03d".formatted(i)), Bytes.of("data"))
                    .notBefore(Instant.now().plus(Duration.ofHours(1))));
        }
        assertThat(client.blocking().update(update.build()).success()).isTrue();
        Instant enqueued = Instant.now();
        LeaseRequest request = LeaseRequest.from(new QueueKey(GROUP, REST));
        assertThat(client.blocking().lease(request.maxTasks(RAN_OUT).length(SHORT_LEASE)))
                .hasSize(RAN_OUT);
        assertThat(client.blocking().lease(request.maxTasks(LEASED).length(Duration.ofHours(1))))
                .hasSize(LEASED);
        return enqueued;
    }

    /** Moves tasks from one queue to the next, where they end. Some stay. */
    private void crawl(TaskMasterClient client, AtomicBoolean running) {
        for (int i = 0; running.get(); i++) {
            assertThat(client.blocking()
                            .enqueue(new QueueKey(GROUP, FETCH), Pid.of("%08d".formatted(i)), Bytes.of("page"))
                            .success())
                    .isTrue();
            fetchEnqueued.add();
            if (i % 10 == 0) {
                continue;
            }
            LeasedTask fetched = lease(client, FETCH);
            fetchLeased.add();
            assertThat(client.blocking()
                            .update(Update.in(GROUP)
                                    .dequeue(fetched)
                                    .enqueue(INDEX, fetched.pid(), Bytes.of("words"))
                                    .build())
                            .success())
                    .isTrue();
            handedOn.add();
            if (i % 10 == 1) {
                continue;
            }
            LeasedTask indexed = lease(client, INDEX);
            assertThat(client.blocking().dequeue(indexed).success()).isTrue();
            indexDequeued.add();
        }
    }

    private static LeasedTask lease(TaskMasterClient client, QueueName queue) {
        return client.blocking()
                .lease(LeaseRequest.from(new QueueKey(GROUP, queue)))
                .getFirst();
    }

    /** Leases tasks, and dequeues them after a while. */
    private static void hold(TaskMasterClient client) {
        List<LeasedTask> leased = new ArrayList<>();
        for (int i = 0; i < HELD_TASKS; i++) {
            client.blocking().enqueue(new QueueKey(GROUP, HELD_LONG), Bytes.of("data"));
            leased.add(lease(client, HELD_LONG));
        }
        // A task that stays, since the server describes only queues that hold tasks.
        client.blocking().enqueue(new QueueKey(GROUP, HELD_LONG), Bytes.of("data"));
        Instant since = Instant.now();
        pass(HELD);
        leased.forEach(task -> client.blocking().dequeue(task));
        Instant until = Instant.now();
        Duration mean = describe(client, HELD_LONG).meanLease().orElseThrow();
        close((double) mean.toMillis(), (double) Duration.between(since, until).toMillis());
    }

    /** Compares rates from two snapshots, as the CLI and the web page compute them, while the load goes on. */
    private void liveRatesAgree(TaskMasterClient client) {
        Flow first = client.blocking().flow();
        long enqueued = fetchEnqueued.total();
        long passed = handedOn.total();
        Instant then = Instant.now();
        pass(CHECK_INTERVAL);
        Flow second = client.blocking().flow();
        double ownSeconds = OwnCount.seconds(Duration.between(then, Instant.now()));
        double seconds = OwnCount.seconds(Duration.between(first.at(), second.at()));
        close(
                (family(second, FETCH).enqueued() - family(first, FETCH).enqueued()) / seconds,
                (fetchEnqueued.total() - enqueued) / ownSeconds);
        close((handOffs(second) - handOffs(first)) / seconds, (handedOn.total() - passed) / ownSeconds);
    }

    private void describedAgree(TaskMasterClient client, Instant restsSince) {
        QueueDescription fetch = describe(client, FETCH);
        assertThat(fetch.summary()).isEqualTo(summary(FETCH, fetchEnqueued.total() - handedOn.total(), 0, 0));
        Instant now = Instant.now();
        close(fetch.enqueueRate(), fetchEnqueued.ratePerSecond(now));
        close(fetch.leaseRate(), fetchLeased.ratePerSecond(now));
        close(fetch.dequeueRate(), handedOn.ratePerSecond(now));

        QueueDescription index = describe(client, INDEX);
        assertThat(index.summary()).isEqualTo(summary(INDEX, handedOn.total() - indexDequeued.total(), 0, 0));
        close(index.dequeueRate(), indexDequeued.ratePerSecond(Instant.now()));

        QueueDescription rest = describe(client, REST);
        assertThat(rest.summary()).isEqualTo(summary(REST, RAN_OUT, LEASED, DELAYED));
        assertThat(rest.expiredLeases()).isEqualTo(RAN_OUT);
        close((double) rest.oldestAvailableAge().orElseThrow().toMillis(), (double)
                Duration.between(restsSince, Instant.now()).toMillis());
    }

    private void rankedAgree(TaskMasterClient client) {
        List<QueueDescription> ranked = client.blocking()
                .rank(RankRequest.descending(QueueSelector.all(), QueueOrder.ENQUEUE_RATE))
                .queues();
        assertThat(ranked)
                .extracting(queue -> queue.summary().queue().name())
                .containsExactlyInAnyOrder(FETCH, INDEX, REST, HELD_LONG);
        QueueDescription busiest = ranked.getFirst();
        assertThat(busiest.summary()).isEqualTo(summary(FETCH, fetchEnqueued.total() - handedOn.total(), 0, 0));
        close(busiest.enqueueRate(), fetchEnqueued.ratePerSecond(Instant.now()));
    }

    private void countsAgree(Flow flow) {
        Flow.Family fetch = family(flow, FETCH);
        assertThat(fetch.enqueued()).isEqualTo(fetchEnqueued.total());
        assertThat(fetch.leases()).isEqualTo(fetchLeased.total());
        assertThat(fetch.dequeued()).isEqualTo(handedOn.total());
        assertThat(fetch.available()).isEqualTo(fetchEnqueued.total() - handedOn.total());
        assertThat(family(flow, INDEX).ended()).isEqualTo(indexDequeued.total());
        assertThat(handOffs(flow)).isEqualTo((double) handedOn.total());
    }

    /** Compares the history of a queue, and that of its family, which has no other queue. */
    private void historyAgrees(String address) {
        ByteString group = ByteString.copyFromUtf8(GROUP.toString());
        ByteString fetch = ByteString.copyFromUtf8(FETCH.toString());
        ManagedChannel channel =
                NettyChannelBuilder.forTarget(address).usePlaintext().build();
        try {
            for (HistoryRequest.Builder request : List.of(
                    HistoryRequest.newBuilder()
                            .setFamily(
                                    QueueFamilyName.newBuilder().setGroup(group).setHead(fetch)),
                    HistoryRequest.newBuilder().setQueueGroup(group).setQueue(fetch))) {
                pointsAgree(InsightGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(10, SECONDS)
                        .showHistory(request.build())
                        .getPointsList());
            }
        } finally {
            channel.shutdownNow();
        }
    }

    /** Compares the points that lie within the load, each with the events of its span. */
    private void pointsAgree(List<HistoryPoint> points) {
        List<HistoryPoint> busy = points.stream()
                .filter(point -> fetchEnqueued.between(Instant.EPOCH, at(point).minus(span(point))) > 0
                        && fetchEnqueued.between(at(point), Instant.MAX) > 0)
                .toList();
        assertThat(busy).isNotEmpty().allSatisfy(point -> {
            rateAgrees(point, HistoryPoint::getEnqueueRate, fetchEnqueued);
            rateAgrees(point, HistoryPoint::getLeaseRate, fetchLeased);
            rateAgrees(point, HistoryPoint::getDequeueRate, handedOn);
        });
    }

    private static void rateAgrees(HistoryPoint point, ToDoubleFunction<HistoryPoint> rate, OwnCount own) {
        long counted = own.between(at(point).minus(span(point)), at(point));
        close(rate.applyAsDouble(point), counted / OwnCount.seconds(span(point)));
    }

    /**
     * Compares figures in the slow profile only: in a short run, pauses of the machine between two looks would decide
     * the result.
     */
    private static void close(double reported, double counted) {
        if (Profile.isSlow()) {
            assertThat(reported).isCloseTo(counted, CLOSE);
        }
    }

    /** Compares the metrics. They are those of the last step of the history, which is at most ten seconds old. */
    private void metricsAgree(ForkedServer server) {
        await().pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(scrape(server))
                        .contains(
                                "taskmaster_tasks{state=\"leased\"} %.1f".formatted((double) LEASED),
                                "taskmaster_tasks{state=\"delayed\"} %.1f".formatted((double) DELAYED),
                                "taskmaster_family_enqueued_total{family=\"fetch\",group=\"g\"} %.1f"
                                        .formatted((double) fetchEnqueued.total()),
                                "taskmaster_family_dequeued_total{family=\"index\",group=\"g\"} %.1f"
                                        .formatted((double) indexDequeued.total()),
                                "taskmaster_queue_enqueued_total{group=\"g\",queue=\"fetch\"} %.1f"
                                        .formatted((double) fetchEnqueued.total()),
                                "taskmaster_queue_leased_total{group=\"g\",queue=\"fetch\"} %.1f"
                                        .formatted((double) fetchLeased.total()),
                                "taskmaster_queue_dequeued_total{group=\"g\",queue=\"index\"} %.1f"
                                        .formatted((double) indexDequeued.total())));
    }

    private static void pass(Duration time) {
        await().pollDelay(time).atMost(time.plusMinutes(2)).until(() -> true);
    }

    private static List<String> scrape(ForkedServer server) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(URI.create("http://" + server.awaitHttp() + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofLines())
                    .body()
                    .toList();
        }
    }

    private static QueueDescription describe(TaskMasterClient client, QueueName queue) {
        return client.blocking()
                .describe(DescribeRequest.of(QueueSelector.of(GROUP, queue)))
                .queues()
                .getFirst();
    }

    private static QueueSummary summary(QueueName queue, long available, long leased, long delayed) {
        return new QueueSummary(new QueueKey(GROUP, queue), available, leased, delayed);
    }

    private static Flow.Family family(Flow flow, QueueName queue) {
        return flow.families().stream()
                .filter(family -> family.name().toString().equals(queue.toString()))
                .findFirst()
                .orElseThrow();
    }

    private static double handOffs(Flow flow) {
        return flow.handOffs().stream()
                .filter(edge -> edge.from().toString().equals(FETCH.toString()))
                .mapToDouble(Flow.HandOffs::tasks)
                .sum();
    }

    private static Instant at(HistoryPoint point) {
        return Instant.ofEpochSecond(point.getAt().getSeconds(), point.getAt().getNanos());
    }

    private static Duration span(HistoryPoint point) {
        return Duration.ofSeconds(point.getSpan().getSeconds(), point.getSpan().getNanos());
    }
}
