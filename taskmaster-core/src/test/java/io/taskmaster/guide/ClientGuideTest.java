package io.taskmaster.guide;

import static io.taskmaster.error.ErrorCode.Advice.OUTCOME_UNKNOWN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.taskmaster.client.BatchResult;
import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.DescribeRequest;
import io.taskmaster.client.KeptLease;
import io.taskmaster.client.LeaseKeeper;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.ListResult;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.QueueOptions;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.RequestId;
import io.taskmaster.client.RequestIds;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.ConfigureReply;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.TaskMasterGrpc;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the snippets of the client's guide: each is compiled and run here, from outside the client's package. */
final class ClientGuideTest {

    private static final Path GUIDE = Path.of("../docs/client.md");
    private static final Path HERE = Path.of("src/test/java/io/taskmaster/guide/ClientGuideTest.java");

    private final Server server = NettyServerBuilder.forAddress(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(new Yes())
            .build();

    private String target = "";

    @BeforeEach
    void start() throws IOException {
        target = "127.0.0.1:" + server.start().getPort();
    }

    @AfterEach
    void stop() {
        server.shutdownNow();
    }

    @Test
    void everySnippetIsCopiedFromHere() throws IOException {
        List<String> snippets = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(GUIDE, UTF_8))
                .results()
                .map(match -> squeezed(match.group(1)))
                .toList();
        assertThat(snippets).hasSizeGreaterThan(5);
        assertThat(snippets)
                .allSatisfy(snippet ->
                        assertThat(squeezed(Files.readString(HERE, UTF_8))).contains(snippet));
    }

    private static String squeezed(String code) {
        return code.replaceAll("\\s+", " ").strip();
    }

    @Test
    void connecting() {
        TaskMasterClient client = TaskMasterClient.builder(target)
                .worker("indexer 7")
                .deadline(Duration.ofSeconds(10))
                .build();
        client.close();
        TaskMasterClient.connect("127.0.0.1:7400").close();
    }

    @Test
    void showingAToken() {
        Supplier<String> tokenOfTheMoment = () -> "a token";
        TaskMasterClient client =
                TaskMasterClient.builder(target).tls().token(tokenOfTheMoment).build();
        client.close();
    }

    @Test
    void enqueueing() {
        try (TaskMasterClient client = TaskMasterClient.connect(target)) {
            BlockingClient tasks = client.blocking();
            QueueKey mail = QueueKey.of("mail", "outgoing");

            tasks.enqueue(mail, Bytes.of("at the end of the queue"));
            tasks.enqueue(mail, Pid.of("2026-11-21/order-17"), Bytes.of("in its place; at most once"));

            UpdateResult result = tasks.update(Update.in(mail.group())
                    .enqueue(Enqueue.of(mail.name(), Pid.of("a"), Bytes.of("…")).ifExists(IfExists.FAIL))
                    .build());
            if (!result.success()) {
                System.out.println("nothing was done: " + result.enqueues());
            }
            assertThat(result.success()).isTrue();
        }
    }

    @Test
    void delayingAndRunningAgain() {
        try (TaskMasterClient client = TaskMasterClient.connect(target)) {
            BlockingClient tasks = client.blocking();

            tasks.update(Update.in("shop")
                    .enqueue(Enqueue.of(QueueName.of("reminders"), Pid.of("order-17"), Bytes.of("…"))
                            .notBefore(Instant.now().plus(Duration.ofDays(3))))
                    .enqueue(Enqueue.of(QueueName.of("reindex"), Pid.of("site-3"), Bytes.EMPTY)
                            .ifExists(IfExists.RERUN))
                    .build());
        }
    }

    @Test
    void naming() {
        try (TaskMasterClient client = TaskMasterClient.connect(target)) {
            BlockingClient tasks = client.blocking();
            QueueKey mail = QueueKey.of("mail", "outgoing");

            tasks.update(Update.in(mail.group())
                    .enqueue(mail.name(), Bytes.of("order 17 is on its way"))
                    .requestId(RequestId.of("shipped/order-17"))
                    .build());
        }
    }

    @Test
    void keepingLeases() {
        try (TaskMasterClient client = TaskMasterClient.connect(target)) {
            BlockingClient tasks = client.blocking();
            QueueKey fetch = QueueKey.of("crawl", "fetch");

            try (LeaseKeeper keeper = client.keepLeases(Duration.ofMinutes(1))) {
                List<KeptLease> leases = tasks.lease(LeaseRequest.from(fetch).maxTasks(10)).stream()
                        .map(keeper::keep)
                        .toList();
                for (KeptLease lease : leases) {
                    if (!lease.isLost()) {
                        Bytes page = download(lease.task().data());
                        lease.close();
                        tasks.update(Update.in(fetch.group())
                                .dequeue(lease.task())
                                .enqueue(QueueName.of("extract"), lease.task().pid(), page)
                                .build());
                    }
                }
            }
        }
    }

    @Test
    void configuring() {
        try (TaskMasterClient client = TaskMasterClient.connect(target)) {
            BlockingClient tasks = client.blocking();
            GroupName crawl = GroupName.of("crawl");

            tasks.configure(QueueKey.of("crawl", "fetch/example.org"), QueueOptions.DEFAULT.maxLeased(2));
            tasks.configure(QueueKey.of("crawl", "fetch/example.com"), QueueOptions.DEFAULT.weight(3));
            tasks.configure(QueueKey.of("crawl", "extract"), QueueOptions.DEFAULT.paused(true));
            List<LeasedTask> leased = tasks.lease(LeaseRequest.from(QueueSelector.matching(crawl, "fetch/.*"))
                    .maxTasks(100)
                    .maxLeasedPerQueue(2));
            assertThat(leased).isNotEmpty();
        }
    }

    @Test
    void batching() {
        try (TaskMasterClient client = TaskMasterClient.connect(target)) {
            BlockingClient tasks = client.blocking();
            QueueKey mail = QueueKey.of("mail", "outgoing");
            QueueKey audit = QueueKey.of("audit", "events");

            List<BatchResult> results = tasks.batch(List.of(
                    Update.in(mail.group()).enqueue(mail.name(), Bytes.of("…")).build(),
                    Update.in(audit.group())
                            .enqueue(audit.name(), Bytes.of("…"))
                            .build(),
                    LeaseRequest.from(mail)));
            for (BatchResult result : results) {
                switch (result) {
                    case BatchResult.Updated(UpdateResult update) -> System.out.println(update.success());
                    case BatchResult.Leased(List<LeasedTask> leased) -> System.out.println(leased.size());
                    case BatchResult.Failed(TaskMasterException error) -> System.out.println(error.code());
                }
            }
        }
    }

    @Test
    void beingPatient() {
        TaskMasterClient client = TaskMasterClient.builder(target)
                .deadline(Duration.ofMinutes(1))
                .attemptDeadline(Duration.ofSeconds(5))
                .requestIds(RequestIds.ALWAYS)
                .build();
        client.close();
    }

    @Test
    void working() {
        try (TaskMasterClient client = TaskMasterClient.connect(target)) {
            BlockingClient tasks = client.blocking();
            QueueKey fetch = QueueKey.of("crawl", "fetch");

            List<LeasedTask> leased = tasks.lease(LeaseRequest.from(fetch)
                    .maxTasks(10)
                    .length(Duration.ofMinutes(2))
                    .maxWait(Duration.ofSeconds(30)));
            for (LeasedTask task : leased) {
                Bytes page = download(task.data());
                UpdateResult handedOn = tasks.update(Update.in(fetch.group())
                        .dequeue(task)
                        .enqueue(QueueName.of("extract"), task.pid(), page)
                        .build());
                if (!handedOn.success()) {
                    // The lease was lost: another worker has the task, and this page is not enqueued either.
                    System.out.println("wasted work: " + handedOn.dequeues());
                }
            }
            assertThat(leased).isNotEmpty();
        }
    }

    @Test
    void keepingAndGivingBack() {
        try (TaskMasterClient client = TaskMasterClient.connect(target)) {
            BlockingClient tasks = client.blocking();
            LeasedTask task = tasks.lease(LeaseRequest.from(QueueKey.of("q"))).getFirst();

            tasks.renew(task, Duration.ofMinutes(5));
            tasks.release(task);
            tasks.release(task, Instant.now().plus(Duration.ofMinutes(10)));
            tasks.releaseUntried(task);
            assertThat(tasks.dequeue(task).success()).isTrue();
        }
    }

    @Test
    void choosing() {
        QueueSelector one = QueueSelector.of(QueueKey.of("crawl", "fetch"));
        QueueSelector some = QueueSelector.matching(GroupName.of("crawl"), "fetch/.*");
        QueueSelector everything = QueueSelector.all();
        assertThat(List.of(one, some, everything)).doesNotHaveDuplicates();
    }

    @Test
    void looking() {
        try (TaskMasterClient client = TaskMasterClient.connect(target)) {
            BlockingClient tasks = client.blocking();
            GroupName crawl = GroupName.of("crawl");

            ListResult page =
                    tasks.list(ListRequest.of(QueueSelector.allIn(crawl)).maxQueues(100));
            while (page.nextPageToken().isPresent()) {
                page = tasks.list(ListRequest.of(QueueSelector.allIn(crawl))
                        .maxQueues(100)
                        .pageToken(page.nextPageToken().get()));
            }
            tasks.describe(DescribeRequest.of(QueueSelector.allIn(crawl)).leasedSample(5));
            tasks.peek(PeekRequest.of(QueueKey.of("crawl", "fetch")).withData(true));
            tasks.delete(QueueSelector.matching(crawl, "old/.*"));
            assertThat(page.queues()).isEmpty();
        }
    }

    @Test
    void asking() {
        try (TaskMasterClient client = TaskMasterClient.connect(target)) {
            QueueKey mail = QueueKey.of("mail", "outgoing");

            CompletableFuture<Void> done = client.lease(LeaseRequest.from(mail).maxTasks(50))
                    .thenCompose(leased -> CompletableFuture.allOf(
                            leased.stream().map(client::dequeue).toArray(CompletableFuture[]::new)));
            assertThat(done).succeedsWithin(Duration.ofSeconds(30));
        }
    }

    @Test
    void failing() {
        try (TaskMasterClient client = TaskMasterClient.connect(target)) {
            BlockingClient tasks = client.blocking();
            QueueKey mail = QueueKey.of("mail", "outgoing");

            try {
                tasks.lease(LeaseRequest.from(mail));
            } catch (TaskMasterException error) {
                if (error.code().advice() != OUTCOME_UNKNOWN) {
                    throw error;
                }
                // A task may have been leased without a reply: it is available again when its lease ends.
                tasks.lease(LeaseRequest.from(mail));
            }
        }
    }

    private static Bytes download(Bytes url) {
        return url;
    }

    /** A server that accepts everything, and has one task for every request. */
    private static final class Yes extends TaskMasterGrpc.TaskMasterImplBase {

        @Override
        public void updateTasks(UpdateRequest request, StreamObserver<UpdateReply> sink) {
            say(UpdateReply.newBuilder().setSuccess(true).build(), sink);
        }

        @Override
        public void leaseTasks(io.taskmaster.v1.LeaseRequest request, StreamObserver<LeaseReply> sink) {
            say(
                    LeaseReply.newBuilder()
                            .addTasks(io.taskmaster.v1.LeasedTask.newBuilder()
                                    .setGroup(request.getQueues().getGroup())
                                    .setQueue(ByteString.copyFromUtf8("q"))
                                    .setPid(ByteString.copyFromUtf8("p"))
                                    .setLeaseId(1))
                            .build(),
                    sink);
        }

        @Override
        public void listQueues(io.taskmaster.v1.ListRequest request, StreamObserver<ListReply> sink) {
            boolean first = request.getPageToken().isEmpty();
            say(ListReply.newBuilder().setNextPageToken(first ? "2" : "").build(), sink);
        }

        @Override
        public void describeQueues(io.taskmaster.v1.DescribeRequest request, StreamObserver<DescribeReply> sink) {
            say(DescribeReply.getDefaultInstance(), sink);
        }

        @Override
        public void peekTasks(io.taskmaster.v1.PeekRequest request, StreamObserver<PeekReply> sink) {
            say(PeekReply.getDefaultInstance(), sink);
        }

        @Override
        public void deleteQueues(DeleteRequest request, StreamObserver<DeleteReply> sink) {
            say(DeleteReply.getDefaultInstance(), sink);
        }

        @Override
        public void batch(BatchRequest request, StreamObserver<BatchReply> sink) {
            BatchReply.Result.Builder result = BatchReply.Result.newBuilder()
                    .setUpdate(UpdateReply.newBuilder().setSuccess(true));
            say(BatchReply.newBuilder().addResults(result).build(), sink);
        }

        @Override
        public void configureQueue(ConfigureRequest request, StreamObserver<ConfigureReply> sink) {
            say(ConfigureReply.getDefaultInstance(), sink);
        }

        private static <T> void say(T reply, StreamObserver<T> sink) {
            sink.onNext(reply);
            sink.onCompleted();
        }
    }
}
