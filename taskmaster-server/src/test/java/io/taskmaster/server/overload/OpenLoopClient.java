package io.taskmaster.server.overload;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.taskmaster.v1.TaskMasterGrpc;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A client that sends updates over several connections, never waits, never retries, and counts calls without an answer.
 * Thread-safe.
 */
final class OpenLoopClient implements AutoCloseable {

    private static final int CHANNELS = 4;

    private final List<ManagedChannel> channels;
    private final AtomicInteger outstanding = new AtomicInteger();

    OpenLoopClient(String address) {
        channels = IntStream.range(0, CHANNELS)
                .mapToObj(_ -> NettyChannelBuilder.forTarget(address)
                        .usePlaintext()
                        .directExecutor()
                        .disableRetry()
                        .build())
                .toList();
    }

    /** The number of calls without an answer. */
    int outstanding() {
        return outstanding.get();
    }

    /**
     * Sends a call.
     *
     * @param number chooses the connection
     * @param listener receives the answer, once, on a network thread
     */
    void call(long number, UpdateRequest request, Consumer<Answer> listener) {
        ManagedChannel channel = channels.get((int) (number % CHANNELS));
        ClientCall<UpdateRequest, UpdateReply> call =
                channel.newCall(TaskMasterGrpc.getUpdateTasksMethod(), CallOptions.DEFAULT);
        outstanding.incrementAndGet();
        call.start(new Listening(listener), new Metadata());
        call.request(2);
        call.sendMessage(request);
        call.halfClose();
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
        try {
            for (ManagedChannel channel : channels) {
                boolean _ = channel.awaitTermination(10, TimeUnit.SECONDS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Listening extends ClientCall.Listener<UpdateReply> {

        private final Consumer<Answer> listener;
        private @Nullable UpdateReply reply;

        private Listening(Consumer<Answer> listener) {
            this.listener = listener;
        }

        @Override
        public void onMessage(UpdateReply message) {
            reply = message;
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            outstanding.decrementAndGet();
            listener.accept(Answer.of(status, trailers, reply));
        }
    }
}
