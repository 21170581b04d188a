package io.taskmaster.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.ListRequest;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.PeekResult.PeekedTask;
import io.taskmaster.client.QueueDescription.LeaseSample;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.NewTask;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the redrive, from the web page, of dead letters that the stage library made. */
final class PageRedriveIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration LEASE = Duration.ofSeconds(60);

    /** The time until a call reaches the server: actions of the test come first. */
    private static final Duration LONG = Duration.ofSeconds(10);

    /** The number of tasks that the page brings back in one call. */
    private static final int BATCH = 500;

    /** A number of dead letters that takes more than two batches. */
    private static final int LETTERS = 1_200;

    private static final TaskQueue<String> FETCH = TaskQueue.of("fetch", Codec.utf8());
    private static final QueueKey ORIGIN = QueueKey.of("crawl", "fetch");
    private static final QueueKey DEAD = QueueKey.of("crawl", "fetch.dead");
    private static final Map<String, String> HEADERS = Map.of("mine", "kept");

    private Visit visit;
    private Browser browser;

    @BeforeEach
    void open() throws Exception {
        visit = Visit.begin();
        browser = visit.browser;
        Pipeline broken = Pipeline.in("crawl")
                .stage(
                        FETCH,
                        stage -> stage.handler(_ -> Outcome.dead("no use")).concurrency(64))
                .build();
        visit.tasks.update(broken.update(IntStream.range(0, LETTERS)
                .mapToObj(i -> FETCH.task("data " + i).at(pid(i)).headers(HEADERS))
                .toArray(NewTask<?>[]::new)));
        try (Worker _ = Worker.start(broken, visit.client)) {
            await().atMost(TIMEOUT).until(() -> sizes().equals(Map.of(DEAD, (long) LETTERS)));
        }
    }

    @AfterEach
    void close() {
        visit.close();
    }

    private static String pid(int i) {
        return "p%04d".formatted(i);
    }

    /** Returns the sizes of all queues at one time. */
    private Map<QueueKey, Long> sizes() {
        return visit.tasks.list(ListRequest.of(QueueSelector.allIn(ORIGIN.group()))).queues().stream()
                .collect(Collectors.toMap(QueueSummary::queue, QueueSummary::total));
    }

    private void begin() {
        begin(Duration.ZERO);
    }

    /**
     * Begins a redrive.
     *
     * @param delay the delay of every call from then on
     */
    private void begin(Duration delay) {
        browser.delay(Duration.ZERO);
        browser.go("#/queue?group=tcrawl&name=tfetch.dead", "fetch.dead");
        browser.delay(delay);
        browser.press("Redrive");
        browser.confirm("Redrive");
    }

    @Test
    void deadLettersGoBackAsTheyWere() {
        visit.tasks.enqueue(ORIGIN, Pid.of(pid(7)), Bytes.of("queued again"));
        begin();
        browser.awaitText("#said", "1,200 of 1,200 redriven (1 already queued again), 0 left.");
        browser.awaitText("main", "This queue is empty.");
        browser.awaitNothing(".job");
        assertThat(sizes()).isEqualTo(Map.of(ORIGIN, (long) LETTERS));
        List<PeekedTask> back = visit.tasks
                .peek(PeekRequest.of(ORIGIN).maxTasks(LETTERS).withData(true))
                .tasks();
        assertThat(back).hasSize(LETTERS);
        for (int i = 0; i < LETTERS; i++) {
            PeekedTask task = back.get(i);
            assertThat(task.pid()).isEqualTo(Pid.of(pid(i)));
            assertThat(task.data()).isEqualTo(Bytes.of(i == 7 ? "queued again" : "data " + i));
            assertThat(task.headers()).isEqualTo(i == 7 ? Map.of() : HEADERS);
            assertThat(task.attempt()).isZero();
        }
        browser.assertQuiet();
    }

    @Test
    void itShowsHowFarItIsAndStopsWhereItIsTold() throws Exception {
        begin(Duration.ofMillis(500));
        browser.awaitMatch(".job p", "500 of 1,200, [\\d.,]+/s, [\\d.]+ s left");
        // Two more batches would be all of them; they wait until the redrive has been stopped.
        browser.delay(LONG);
        browser.assertFits().picture("redrive");
        browser.press("Stop: Redrive of fetch.dead");
        browser.delay(Duration.ZERO);
        browser.awaitMatch("#said p", "(500|1,000) of 1,200 redriven \\(0 already queued again\\), (700|200) left\\.");
        browser.awaitNothing(".job");
        assertThat(sizes().get(ORIGIN)).isIn(500L, 1_000L);
        assertThat(sizes().values().stream().mapToLong(size -> size).sum()).isEqualTo(LETTERS);
        assertThat(visit.describe(DEAD, 0).summary().leased()).isZero();

        begin();
        browser.awaitText("#said", " 0 left.");
        assertThat(sizes()).isEqualTo(Map.of(ORIGIN, (long) LETTERS));
        browser.assertQuiet();
    }

    @Test
    void whatWasInHandWhenThePageWasClosedIsOfferedAgain() {
        begin(LONG);
        browser.awaitText(".job", "0 of 1,200");
        await().atMost(TIMEOUT).until(() -> visit.describe(DEAD, 0).summary().leased() > 0);
        browser.leave();
        assertThat(sizes().values().stream().mapToLong(size -> size).sum()).isEqualTo(LETTERS);
        List<LeaseSample> inHand = visit.describe(DEAD, BATCH).leasedSample();
        assertThat(inHand).hasSize(BATCH);
        assertThat(inHand).allSatisfy(lease -> {
            assertThat(lease.worker()).isEqualTo("redrive");
            assertThat(lease.leaseExpires()).isBefore(Instant.now().plus(LEASE));
        });

        // This is the state of the queue in a minute.
        UpdateBuilder expired = Update.in(DEAD.group());
        inHand.forEach(lease -> expired.release(DEAD.name(), lease.pid(), lease.leaseId()));
        visit.tasks.update(expired.build());
        begin();
        browser.awaitText("#said", " 0 left.");
        assertThat(sizes()).isEqualTo(Map.of(ORIGIN, (long) LETTERS));
    }
}
