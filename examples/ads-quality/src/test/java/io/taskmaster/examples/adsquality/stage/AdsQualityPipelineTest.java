package io.taskmaster.examples.adsquality.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.Timer;
import io.taskmaster.examples.adsquality.Expectations;
import io.taskmaster.examples.adsquality.market.AdServer;
import io.taskmaster.examples.adsquality.market.Market;
import io.taskmaster.examples.demo.QueueSizes;
import io.taskmaster.examples.demo.QueueTasks;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.RetryPolicy;
import io.taskmaster.stage.worker.Worker;
import io.taskmaster.stage.worker.task.WorkerEnvironment;
import io.taskmaster.testkit.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AdsQualityPipelineTest {

    /** A span longer than a lease. */
    private static final Duration AFTER_LEASES = Duration.ofSeconds(5);

    /** The time limit of whole flows, on a slow machine. */
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private static final Market MARKET = Market.ALL.getFirst();

    private final TestServer server = TestServer.inMemory();
    private final BlockingClient client = server.client().blocking();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private final List<Worker> workers = new ArrayList<>();
    private final AdServer ads;

    @TempDir
    private Path reports;

    AdsQualityPipelineTest() throws IOException {
        ads = AdServer.start();
    }

    @BeforeEach
    void begin() {
        assertThat(AdsQualityPipeline.begin(client, MARKET)).isTrue();
        assertThat(AdsQualityPipeline.begin(client, MARKET)).isFalse();
    }

    @AfterEach
    void close() {
        // All are drained at once, because each takes a moment.
        workers.stream()
                .map(worker -> worker.drain(Worker.DEFAULT_DRAIN))
                .toList()
                .forEach(CompletableFuture::join);
        ads.close();
        server.close();
        threads.shutdownNow();
        loop.shutdownNow();
    }

    @ParameterizedTest(name = "dies at its commit {0}, which is sent: {1}")
    @CsvSource({
        "1, false",
        "1, true",
        "2, false",
        "2, true",
        "3, false",
        "3, true",
        "4, false",
        "4, true",
        "5, false",
        "5, true"
    })
    void deathOfTheCoordinatorChangesNothingWheneverItDies(int commit, boolean sent) throws IOException {
        start(flow().only(names(AdsQualityPipeline.WORK)));
        MortalService mortal = new MortalService(server.client(), commit, sent);
        startCoordinator(mortal);
        await().atMost(TIMEOUT).until(mortal::isDead);

        server.advance(AFTER_LEASES);
        start(flow().only(names(AdsQualityPipeline.COORDINATION)));
        awaitLoaded();
        assertThatEverythingIsAsItShouldBe();
    }

    @Test
    void phaseDoesNotEndWhileItsPipelineHoldsATask() throws IOException {
        Worker worker = start(flow());
        worker.pause("judge");
        await().atMost(TIMEOUT).until(() -> tasksIn("judge") > 0 && tasksIn("issue") == 0);
        assertThat(tasksIn("querying")).isEqualTo(1);

        worker.resume("judge");
        awaitLoaded();
        assertThatEverythingIsAsItShouldBe();
    }

    @Test
    void setAtABarrierOutlivesAnyNumberOfCoordinators() throws IOException {
        start(flow().only("fetching"));
        await().atMost(TIMEOUT).until(() -> tasksIn("querying") == 1);
        LeaseRequest request = LeaseRequest.from(new QueueKey(AdsQualityQueues.GROUP, QueueName.of("querying")))
                .length(Duration.ofSeconds(4));
        for (int coordinator = 0; coordinator <= RetryPolicy.DEFAULT.maxAttempts(); coordinator++) {
            await().atMost(TIMEOUT).until(() -> !client.lease(request).isEmpty());
            server.advance(AFTER_LEASES);
        }
        start(flow());
        awaitLoaded();
        assertThatEverythingIsAsItShouldBe();
    }

    private Worker start(Pipeline pipeline) {
        Worker worker = Worker.start(pipeline, server.client());
        workers.add(worker);
        return worker;
    }

    /** Starts a coordinator that dies, so the test does not drain it. */
    private void startCoordinator(MortalService mortal) {
        Worker _ = Worker.start(
                flow().only(names(AdsQualityPipeline.COORDINATION)),
                new WorkerEnvironment(mortal, Timer.SYSTEM, loop, threads, new SplittableRandom()));
    }

    private void awaitLoaded() {
        await().atMost(TIMEOUT).until(() -> tasksIn("loaded") == 1);
    }

    private Pipeline flow() {
        return AdsQualityPipeline.of(client, ads.address(), new Rate(10_000, 100), new Repositories(reports));
    }

    private void assertThatEverythingIsAsItShouldBe() throws IOException {
        Expectations.assertThatPhasesDoNotOverlap(
                contents(AdsQualityQueues.of(AdsQualityQueues.JOURNAL, MARKET.name())), MARKET);
        assertThat(Files.readAllLines(reports.resolve(MARKET.name() + ".csv"))).isEqualTo(Expectations.table(MARKET));
    }

    /** Returns the number of tasks in queues whose name is this word, or begins with it and a slash. */
    private long tasksIn(String queue) {
        return QueueSizes.take(client, AdsQualityQueues.GROUP)
                .tasksIn(name -> name.toString().matches(queue + "(/.*)?"));
    }

    private List<String> contents(QueueKey queue) {
        return QueueTasks.of(client, queue).stream()
                .map(task -> task.data().toString())
                .toList();
    }

    private static String[] names(List<String> stages) {
        return stages.toArray(String[]::new);
    }
}
