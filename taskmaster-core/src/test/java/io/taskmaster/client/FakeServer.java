package io.taskmaster.client;

import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.ConfigureReply;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.TaskMasterGrpc;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import io.taskmaster.wire.ErrorMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A server that sends scripted answers, in order, and records its requests. Without a further answer it holds requests
 * until the test answers them. Thread-safe.
 */
final class FakeServer extends TaskMasterGrpc.TaskMasterImplBase implements AutoCloseable {

    /** The defaults of the builder, without randomness. */
    static final RetryRule RULE = new RetryRule(
            Integer.MAX_VALUE,
            Duration.ofSeconds(10).toNanos(),
            Duration.ofMinutes(2).toNanos(),
            () -> 0);

    final List<Object> requests = new CopyOnWriteArrayList<>();
    final List<Duration> deadlines = new CopyOnWriteArrayList<>();
    final AtomicInteger cancelled = new AtomicInteger();
    private final Queue<Object> script = new ConcurrentLinkedQueue<>();
    private final Queue<Consumer<Object>> held = new ConcurrentLinkedQueue<>();
    private final String name = InProcessServerBuilder.generateName();
    private final Server server;

    FakeServer() {
        server = InProcessServerBuilder.forName(name)
                .directExecutor()
                .addService((BindableService) this)
                .build();
        try {
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds the next answer: a reply of the contract, or a throwable. */
    FakeServer answer(Object answer) {
        script.add(answer);
        return this;
    }

    Connection connection(Timer timer, RetryRule rule) {
        return new Connection(
                InProcessChannelBuilder.forName(name).directExecutor().build(),
                timer,
                rule,
                new RetryBudget(0.1, timer.nanoTime()),
                Duration.ofSeconds(5));
    }

    /** Creates a client with a retry rule, and with numbered request ids for the chosen updates. */
    TaskMasterClient client(Timer timer, RetryRule rule, Duration deadline, RequestIds policy) {
        AtomicInteger ids = new AtomicInteger();
        return new TaskMasterClient(
                connection(timer, rule),
                deadline,
                "tester",
                new RequestIdRule(policy, () -> RequestId.of("id " + ids.incrementAndGet())));
    }

    TaskMasterClient client(Timer timer, RequestIds policy) {
        return client(timer, RULE, Duration.ofSeconds(30), policy);
    }

    TaskMasterClient client(Timer timer) {
        return client(timer, RequestIds.NEVER);
    }

    TaskMasterClient client() {
        return client(new FakeTimer());
    }

    @Override
    public void updateTasks(UpdateRequest request, StreamObserver<UpdateReply> sink) {
        answer(request, UpdateReply.class, sink);
    }

    @Override
    public void leaseTasks(LeaseRequest request, StreamObserver<LeaseReply> sink) {
        answer(request, LeaseReply.class, sink);
    }

    @Override
    public void listQueues(ListRequest request, StreamObserver<ListReply> sink) {
        answer(request, ListReply.class, sink);
    }

    @Override
    public void describeQueues(DescribeRequest request, StreamObserver<DescribeReply> sink) {
        answer(request, DescribeReply.class, sink);
    }

    @Override
    public void peekTasks(PeekRequest request, StreamObserver<PeekReply> sink) {
        answer(request, PeekReply.class, sink);
    }

    @Override
    public void deleteQueues(DeleteRequest request, StreamObserver<DeleteReply> sink) {
        answer(request, DeleteReply.class, sink);
    }

    @Override
    public void batch(BatchRequest request, StreamObserver<BatchReply> sink) {
        answer(request, BatchReply.class, sink);
    }

    @Override
    public void configureQueue(ConfigureRequest request, StreamObserver<ConfigureReply> sink) {
        answer(request, ConfigureReply.class, sink);
    }

    private <T> void answer(Object request, Class<T> type, StreamObserver<T> sink) {
        Deadline deadline = Context.current().getDeadline();
        deadlines.add(
                deadline == null ? Duration.ZERO : Duration.ofNanos(deadline.timeRemaining(TimeUnit.NANOSECONDS)));
        ((ServerCallStreamObserver<T>) sink).setOnCancelHandler(cancelled::incrementAndGet);
        requests.add(request);
        @Nullable Object next = script.poll();
        switch (next) {
            case null -> held.add(reply -> finish(type.cast(reply), sink));
            case TaskMasterException error -> sink.onError(ErrorMapper.toGrpc(error));
            case Throwable plain -> sink.onError(plain);
            default -> finish(type.cast(next), sink);
        }
    }

    private static <T> void finish(T reply, StreamObserver<T> sink) {
        sink.onNext(reply);
        sink.onCompleted();
    }

    /** Answers the oldest request that is held. */
    void answerHeld(Object reply) {
        held.remove().accept(reply);
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
