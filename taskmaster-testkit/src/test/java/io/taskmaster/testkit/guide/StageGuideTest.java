package io.taskmaster.testkit.guide;

import static io.taskmaster.testkit.pipeline.PipelineAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.QueueOptions;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Flight;
import io.taskmaster.stage.NewTask;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.RetryPolicy;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStages;
import io.taskmaster.stage.local.Overflow;
import io.taskmaster.stage.metrics.LocalStageMetrics;
import io.taskmaster.stage.metrics.WorkerMetrics;
import io.taskmaster.stage.trace.TaskSpans;
import io.taskmaster.stage.worker.Worker;
import io.taskmaster.testkit.TestServer;
import io.taskmaster.testkit.pipeline.PipelineKit;
import io.taskmaster.testkit.pipeline.Seeds;
import io.taskmaster.trace.TraceContext;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of the snippets in the guide to the stage library: each is compiled and run here or, if it needs no server, in
 * {@link LocalStageGuideTest}, except for the main method. Those of the page on testing are compared by
 * {@link TestingGuideTest}.
 */
final class StageGuideTest {

    private static final Path GUIDE = Path.of("../docs/guide");
    private static final Path HERE = Path.of("src/test/java/io/taskmaster/testkit/guide");
    static final TaskQueue<String> FETCH = TaskQueue.of("fetch", Codec.utf8());
    static final TaskQueue<Page> EXTRACT = TaskQueue.of("extract", Page.CODEC);
    static final TaskQueue<String> WORDS = TaskQueue.of("words", Codec.utf8());
    static final TaskQueue<String> SEEN = TaskQueue.of("seen", Codec.utf8());
    static final TaskQueue<String> LINKS = TaskQueue.of("links", Codec.utf8());
    static final TaskQueue<Order> ORDERS = TaskQueue.of("orders", Order.CODEC);
    static final TaskQueue<String> MAIL = TaskQueue.family("mail", Codec.utf8());
    static final TaskQueue<String> INDEX = TaskQueue.of("index", Codec.utf8());
    private final TestServer server = TestServer.inMemory();
    private final TaskMasterClient client = server.client();
    private final BlockingClient tasks = client.blocking();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void everySnippetOfTheGuideIsHere() throws IOException {
        List<String> snippets = new ArrayList<>();
        try (DirectoryStream<Path> pages = Files.newDirectoryStream(GUIDE, "*.md")) {
            for (Path page : pages) {
                if (!page.endsWith(TestingGuideTest.PAGE)) {
                    Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                            .matcher(Files.readString(page, UTF_8))
                            .results()
                            .forEach(snippet -> snippets.add(squeezed(snippet.group(1))));
                }
            }
        }
        assertThat(snippets).hasSizeGreaterThan(20);
        String code = squeezed(Files.readString(HERE.resolve("StageGuideTest.java"), UTF_8)
                + Files.readString(HERE.resolve("LocalStageGuideTest.java"), UTF_8));
        assertThat(snippets).allSatisfy(snippet -> assertThat(code).contains(snippet));
    }

    private static Pipeline crawl() {
        Pipeline crawl = Pipeline.in("crawl")
                .stage(
                        FETCH,
                        stage -> stage.handler(task ->
                                        Outcome.handOff(EXTRACT.task(new Page(task.payload(), get(task.payload())))))
                                .to(EXTRACT)
                                .concurrency(32))
                .stage(
                        EXTRACT,
                        stage -> stage.handler(task -> {
                                    Page page = task.payload();
                                    return page.text().isEmpty()
                                            ? Outcome.dead("an empty page")
                                            : Outcome.handOff(
                                                    WORDS.task(page.text().split(" ", 2)[0]));
                                })
                                .to(WORDS))
                .sinks(WORDS)
                .build();
        return crawl;
    }

    /** A worker process; compiled here, not run. */
    static final class Fetcher {

        public static void main(String[] args) {
            try (TaskMasterClient client = TaskMasterClient.connect("127.0.0.1:7400");
                    Worker worker = Worker.start(crawl().only("fetch"), client)) {
                worker.untilShutdown(Worker.DEFAULT_DRAIN);
            }
        }
    }

    @Test
    @SuppressWarnings("try") // The worker runs as long as the block does.
    void firstPipeline() {
        Pipeline crawl = crawl();
        try (Worker worker = Worker.start(crawl, client)) {
            client.blocking()
                    .update(crawl.update(FETCH.task("https://example.com/").at("https://example.com/")));
            awaitPage("https://example.com/");
        }
        assertThat(dataOf("words")).containsExactly("words");
    }

    @Test
    void aPageIsHandedOnOnceWhateverHappens() {
        Pipeline crawl = crawl();
        try (PipelineKit kit = PipelineKit.of(crawl).seed(7).start()) {
            kit.faults().atAttempt(FETCH, 1).crash().atCommit(EXTRACT, 1).loseReply();

            kit.enqueue(FETCH.task("https://example.com/").at("https://example.com/"));
            kit.runUntilIdle();

            assertThat(kit).handedOffOnce(FETCH).handedOffOnce(EXTRACT).hasAttempts(FETCH, 2);
            assertThat(kit.queue(WORDS)).containsExactly("words");
        }
    }

    @Test
    void pagesAreHandedOnOnceInManyWorlds() {
        Pipeline crawl = crawl();
        Seeds.each(1_000, seed -> {
            try (PipelineKit kit = PipelineKit.of(crawl)
                    .seed(seed)
                    .trouble(10)
                    .crashes(Duration.ofSeconds(30))
                    .start()) {
                kit.enqueue(FETCH.task("https://example.com/").at("https://example.com/"));
                kit.runUntilIdle();
                assertThat(kit).handedOffOnce(FETCH);
            }
        });
    }

    @Test
    void linksThatAreNew() {
        Instant later = Instant.EPOCH;
        Pipeline crawl = Pipeline.in("crawl")
                .stage(
                        LINKS,
                        stage -> stage.handler(task -> followed(task, later)).to(SEEN, FETCH))
                .sinks(SEEN, FETCH)
                .build();
        tasks.enqueue(QueueKey.of("crawl", "seen"), Pid.of("b"), Bytes.EMPTY);
        tasks.enqueue(QueueKey.of("crawl", "links"), Pid.of("page"), Bytes.of("a b c"));
        tasks.enqueue(QueueKey.of("crawl", "links"), Pid.of("other"), Bytes.of("d"));
        try (Worker _ = Worker.start(crawl, client)) {
            await().until(() -> dataOf("links").isEmpty());
        }
        assertThat(dataOf("fetch")).containsExactly("a", "c", "d");
        assertThat(dataOf("seen")).hasSize(4);
    }

    private static Outcome followed(Task<String> task, Instant later) {
        List<String> links = List.of(task.payload().split(" ", -1));
        if (links.size() > 1) {
            return Outcome.handOff(both(links)).otherwise(refusal -> Outcome.handOff(without(refusal.pids(), links)));
        }
        String link = links.getFirst();
        return Outcome.handOff(
                SEEN.task("").at(link).ifExists(IfExists.FAIL),
                FETCH.task(link).at(link).notBefore(later));
    }

    private static List<NewTask<?>> both(List<String> links) {
        List<NewTask<?>> both = new ArrayList<>();
        for (String link : links) {
            both.add(SEEN.task("").at(link).ifExists(IfExists.FAIL));
            both.add(FETCH.task(link).at(link));
        }
        return both;
    }

    private static List<NewTask<?>> without(Set<Pid> known, List<String> links) {
        return both(links.stream().filter(link -> !known.contains(Pid.of(link))).toList());
    }

    @Test
    void mailsOfCustomers() {
        Pipeline shop = Pipeline.in("shop")
                .stage(
                        ORDERS,
                        stage -> stage.handler(StageGuideTest::toCustomer).to(MAIL))
                .stage(
                        MAIL,
                        stage -> stage.handler(task -> Outcome.dead("sent to " + task.member()))
                                .maxPerQueue(1)
                                .retry(RetryPolicy.DEFAULT
                                        .maxAttempts(5)
                                        .delays(Duration.ofMillis(250), Duration.ofMinutes(1))))
                .build();
        tasks.enqueue(QueueKey.of("shop", "orders"), Pid.of("1"), Bytes.of("ann:hello"));
        client.blocking().configure(QueueKey.of("shop", "mail/ann"), QueueOptions.DEFAULT.weight(3));
        try (Worker _ = Worker.start(shop, client)) {
            await().until(() -> dataOf("shop", "mail/ann.dead").contains("hello"));
        }
    }

    private static Outcome toCustomer(Task<Order> task) {
        return Outcome.handOff(
                MAIL.task(task.payload().customer(), task.payload().text()));
    }

    @Test
    void batches() {
        var index = new Index();
        Pipeline search = Pipeline.in("search")
                .stage(
                        INDEX,
                        stage -> stage.batchHandler(100, (tasks, finish) -> {
                            index.add(tasks.stream().map(Task::payload).toList());
                            tasks.forEach(task -> finish.with(task, Outcome.done()));
                        }))
                .build();
        for (int i = 0; i < 10; i++) {
            tasks.enqueue(QueueKey.of("search", "index"), Bytes.of("text"));
        }
        try (Worker _ = Worker.start(search, client)) {
            await().until(() -> dataOf("search", "index").isEmpty());
        }
        assertThat(index.texts).hasSize(10);
    }

    @Test
    void customersInOrder() {
        List<String> sent = Collections.synchronizedList(new ArrayList<>());
        Pipeline shop = Pipeline.in("shop")
                .stage(
                        INDEX,
                        stage -> stage.handler(task -> {
                                    sent.add(task.payload());
                                    return Outcome.done();
                                })
                                .perKey(task -> task.headers().get("customer"), 1))
                .build();
        for (int i = 0; i < 5; i++) {
            tasks.update(shop.update(INDEX.task("mail " + i).at("p" + i).headers(Map.of("customer", "ann"))));
        }
        try (Worker _ = Worker.start(shop, client)) {
            await().until(() -> dataOf("shop", "index").isEmpty());
        }
        assertThat(sent).containsExactly("mail 0", "mail 1", "mail 2", "mail 3", "mail 4");
    }

    @Test
    void throughLocalStages() {
        try (LocalStages local = LocalStages.start()) {
            LocalStage<Flight<String>> render = local.add(
                    "render",
                    stage -> stage.handler(flight -> flight.finish(Outcome.handOff(WORDS.task(draw(flight.payload())))))
                            .boundary(100, boundary -> boundary.concurrency(2)));
            LocalStage<Flight<String>> download = local.add(
                    "download",
                    stage -> stage.handler(flight -> flight.into(render))
                            .to("render")
                            .boundary(
                                    1_000, boundary -> boundary.concurrency(32).blocking()));
            Pipeline crawl = Pipeline.in("crawl")
                    .stage(FETCH, stage -> stage.into(download).to(WORDS).concurrency(200))
                    .sinks(WORDS)
                    .build();
            String picture = crawl.graph().and(local.graph()).mermaid();
            assertThat(picture).startsWith("flowchart").contains("download");
            for (int i = 0; i < 300; i++) {
                tasks.update(crawl.update(FETCH.task("page " + i).at("p" + i)));
            }
            MeterRegistry registry = new SimpleMeterRegistry();
            try (Worker worker = Worker.start(crawl, client)) {
                new WorkerMetrics(worker).bindTo(registry);
                new LocalStageMetrics(download).bindTo(registry);
                await().until(() -> dataOf("fetch").isEmpty());
            }
            assertThat(registry.get("taskmaster.local.stage.events")
                            .tag("outcome", "done")
                            .functionCounter()
                            .count())
                    .isGreaterThanOrEqualTo(300);
        }
        assertThat(tasks.peek(PeekRequest.of(QueueKey.of("crawl", "words")).maxTasks(1_000))
                        .tasks())
                .hasSize(300);
    }

    @Test
    void settingsOfDurableStagesFindThemselvesToo() {
        var index = new Index();
        Pipeline search = Pipeline.in("search")
                .stage(
                        INDEX,
                        stage -> stage.batchHandler(Controller.batching(1, 100), (tasks, finish) -> {
                                    index.add(tasks.stream().map(Task::payload).toList());
                                    tasks.forEach(task -> finish.with(task, Outcome.done()));
                                })
                                .concurrency(Controller.threadPool(1, 16))
                                .prefetch(200))
                .build();
        for (int i = 0; i < 10; i++) {
            tasks.enqueue(QueueKey.of("search", "index"), Bytes.of("text"));
        }
        try (Worker _ = Worker.start(search, client)) {
            await().until(() -> dataOf("search", "index").isEmpty());
        }
        assertThat(index.texts).hasSize(10);
    }

    @Test
    void whatDoesNotFitIsSpilledToADurableQueue() {
        Pipeline crawl = Pipeline.in("crawl")
                .stage(INDEX, stage -> stage.handler(_ -> Outcome.done()).to(FETCH))
                .sinks(FETCH)
                .build();
        CountDownLatch busy = new CountDownLatch(1);
        try (LocalStages local = LocalStages.start()) {
            LocalStage<String> render = local.add(
                    "render",
                    stage -> stage.handler(_ -> busy.await())
                            .boundary(
                                    1,
                                    boundary -> boundary.overflow(Overflow.spill(
                                            10,
                                            client,
                                            crawl,
                                            (String event) -> FETCH.task(event).at(event)))));
            List<String> spilled = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                if (render.offer("e" + i) == Taken.SPILLED) {
                    spilled.add("e" + i);
                }
            }
            // At most one is being handled, and one waits.
            assertThat(spilled).hasSizeGreaterThanOrEqualTo(3);
            await().until(() -> dataOf("fetch").containsAll(spilled));
            busy.countDown();
        }
    }

    @Test
    @SuppressWarnings("try") // The worker runs as long as the block does.
    void traces() {
        Pipeline crawl = crawl();
        InMemorySpanExporter spans = InMemorySpanExporter.create();
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(spans))
                .build();
        String url = "https://example.com/";
        try (OpenTelemetrySdk openTelemetry =
                OpenTelemetrySdk.builder().setTracerProvider(provider).build()) {
            try (Worker worker = Worker.start(crawl, client, new TaskSpans(openTelemetry))) {
                client.blocking()
                        .update(TraceContext.inject(crawl.update(FETCH.task(url).at(url))));
                awaitPage(url);
            }
            assertThat(spans.getFinishedSpanItems())
                    .extracting(span -> span.getName())
                    .containsExactlyInAnyOrder("process fetch", "process extract");
        }
    }

    private static String draw(String page) {
        return "picture of " + page;
    }

    private void awaitPage(String url) {
        await().until(() -> tasks.peek(PeekRequest.of(QueueKey.of("crawl", "words"))).tasks().stream()
                .anyMatch(task -> task.pid().equals(Pid.of(url))));
    }

    private List<String> dataOf(String queue) {
        return dataOf("crawl", queue);
    }

    private List<String> dataOf(String group, String queue) {
        return tasks.peek(PeekRequest.of(QueueKey.of(group, queue)).withData(true)).tasks().stream()
                .map(task -> task.data().toString())
                .toList();
    }

    private static String get(String url) {
        return "words of " + url;
    }

    private static String squeezed(String code) {
        return code.replaceAll("\\s", "");
    }

    record Page(String url, String text) {

        static final Codec<Page> CODEC = Codec.text(
                page -> page.url + "\n" + page.text,
                text -> new Page(
                        text.lines().findFirst().orElse(""),
                        text.lines().skip(1).findFirst().orElse("")));
    }

    record Order(String customer, String text) {

        static final Codec<Order> CODEC = Codec.text(
                order -> order.customer + ":" + order.text,
                text -> new Order(text.substring(0, text.indexOf(':')), text.substring(text.indexOf(':') + 1)));
    }

    private static final class Index {

        private final List<String> texts = Collections.synchronizedList(new ArrayList<>());

        void add(List<String> more) {
            texts.addAll(more);
        }
    }
}
