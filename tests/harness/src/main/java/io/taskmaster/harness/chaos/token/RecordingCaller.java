package io.taskmaster.harness.chaos.token;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.taskmaster.testkit.history.HistoryRecorder;
import io.taskmaster.testkit.history.HistorySink;
import io.taskmaster.testkit.history.RecordedOutcome;
import io.taskmaster.v1.TaskMasterGrpc;
import io.taskmaster.v1.TaskMasterGrpc.TaskMasterBlockingStub;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * A client without retries that records every call. Threads that share a connection have a caller each, so that a
 * history distinguishes them. Calls block. Single-threaded, apart from {@link #with}.
 */
public final class RecordingCaller implements AutoCloseable {

    private static final int MAX_MESSAGE_BYTES = 64 << 20;
    private static final long POLL_NANOS = 20_000_000;

    private final ManagedChannel channel;
    private final String name;
    private final TaskMasterBlockingStub stub;
    private Duration deadline = Duration.ofSeconds(5);
    private long enqueues;

    private RecordingCaller(ManagedChannel channel, String name, HistorySink history) {
        this.channel = channel;
        this.name = name;
        this.stub = TaskMasterGrpc.newBlockingStub(channel).withInterceptors(new HistoryRecorder(name, history));
    }

    /**
     * Opens a connection.
     *
     * @param target host and port
     * @param name the name of the caller
     */
    public static RecordingCaller open(String target, String name, HistorySink history) {
        ManagedChannel channel = NettyChannelBuilder.forTarget(target)
                .usePlaintext()
                .disableRetry()
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .build();
        return new RecordingCaller(channel, name, history);
    }

    /** Returns another caller on the same connection. */
    public RecordingCaller with(String otherName, HistorySink history) {
        return new RecordingCaller(channel, otherName, history);
    }

    /** Sets the deadline of later calls. */
    public void deadline(Duration limit) {
        deadline = limit;
    }

    public String name() {
        return name;
    }

    /** Returns a string that no caller has returned before. */
    public String nextEnqueue() {
        return name + "#" + ++enqueues;
    }

    /** Makes a call. It is neither made nor recorded while there is no connection. */
    public <T> CallAnswer<T> ask(Function<TaskMasterBlockingStub, T> call) {
        if (!awaitConnection()) {
            return new CallAnswer.Refused<>();
        }
        try {
            return new CallAnswer.Known<>(call.apply(stub.withDeadlineAfter(deadline)));
        } catch (StatusRuntimeException error) {
            return switch (RecordedOutcome.ofError(error.getStatus(), error.getTrailers())) {
                case RecordedOutcome.Unknown _ -> new CallAnswer.Unknown<>();
                case RecordedOutcome.Failed _, RecordedOutcome.Replied _ -> new CallAnswer.Refused<>();
            };
        }
    }

    /**
     * Waits for a connection, up to the deadline of a call: the outcome of a call that is made without one would be
     * unknown.
     */
    private boolean awaitConnection() {
        long deadlineNanos = System.nanoTime() + deadline.toNanos();
        ConnectivityState state = channel.getState(true);
        while (state != ConnectivityState.READY) {
            if (state == ConnectivityState.TRANSIENT_FAILURE) {
                channel.resetConnectBackoff();
            }
            LockSupport.parkNanos(POLL_NANOS);
            if (System.nanoTime() - deadlineNanos > 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            state = channel.getState(true);
        }
        return true;
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
