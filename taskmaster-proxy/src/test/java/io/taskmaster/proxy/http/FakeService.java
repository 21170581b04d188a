package io.taskmaster.proxy.http;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.Message;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.access.Caller;
import io.taskmaster.proxy.json.ApiOperation;
import io.taskmaster.wire.ErrorMapper;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A fake of the services, without a node: it records requests, and answers as the test says. Thread-safe. */
final class FakeService implements AutoCloseable {

    /** A request that is answered only by {@link #answer}. */
    record Held<P>(ServerCallStreamObserver<P> replies, P reply) {

        boolean isCancelled() {
            return replies.isCancelled();
        }

        /** Answers with an empty reply. */
        void answer() {
            replies.onNext(reply);
            replies.onCompleted();
        }
    }

    final ConcurrentLinkedQueue<Message> requests = new ConcurrentLinkedQueue<>();
    final ConcurrentLinkedQueue<Caller> callers = new ConcurrentLinkedQueue<>();
    final ConcurrentLinkedQueue<Held<?>> held = new ConcurrentLinkedQueue<>();

    private final Server server;
    private final ManagedChannel channel;
    private volatile BiFunction<ApiOperation<?, ?>, Message, @Nullable Message> responder =
            (apiOperation, request) -> apiOperation.reply();

    FakeService() throws IOException {
        String name = UUID.randomUUID().toString();
        Map<String, ServerServiceDefinition.Builder> services = new TreeMap<>();
        ApiOperation.ALL.forEach(apiOperation -> add(
                services.computeIfAbsent(
                        requireNonNull(apiOperation.method().getServiceName()), ServerServiceDefinition::builder),
                apiOperation));
        server = InProcessServerBuilder.forName(name)
                .directExecutor()
                .addServices(services.values().stream()
                        .map(ServerServiceDefinition.Builder::build)
                        .toList())
                .build()
                .start();
        channel = InProcessChannelBuilder.forName(name).directExecutor().build();
    }

    private <Q extends Message, P extends Message> void add(
            ServerServiceDefinition.Builder service, ApiOperation<Q, P> apiOperation) {
        MethodDescriptor<Q, P> method = apiOperation.method();
        service.addMethod(method, ServerCalls.asyncUnaryCall((Q request, StreamObserver<P> replies) -> {
            requests.add(request);
            try {
                @SuppressWarnings("unchecked") // the test answers with the reply type of the operation
                P reply = (P) responder.apply(apiOperation, request);
                if (reply == null) {
                    held.add(new Held<>((ServerCallStreamObserver<P>) replies, apiOperation.reply()));
                    return;
                }
                replies.onNext(reply);
                replies.onCompleted();
            } catch (TaskMasterException e) {
                replies.onError(ErrorMapper.toGrpc(e));
            }
        }));
    }

    /** Sets the replies from now on. A null reply holds the request; an exception is sent as the error. */
    void answering(BiFunction<ApiOperation<?, ?>, Message, @Nullable Message> operationAndRequest) {
        responder = operationAndRequest;
    }

    Channel channelFor(Caller caller) {
        callers.add(caller);
        return channel;
    }

    @Override
    public void close() {
        channel.shutdownNow();
        server.shutdownNow();
    }
}
