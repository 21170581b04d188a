package io.taskmaster.testkit;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.taskmaster.v1.TaskMasterGrpc;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A wait for servers: until the health service reports SERVING for TaskMaster, or until a server of another kind
 * listens.
 *
 * <p>A gRPC channel that failed to connect waits a second before it retries, which is too coarse for measuring a
 * recovery. So the port is probed first, every few milliseconds.
 */
public final class Health {

    private static final HealthCheckRequest REQUEST = HealthCheckRequest.newBuilder()
            .setService(TaskMasterGrpc.SERVICE_NAME)
            .build();
    private static final int CONNECT_LIMIT_MILLIS = 1000;
    private static final long POLL_MILLIS = 5;

    private Health() {}

    /**
     * Returns true once the server serves; false if the limit passes first, or the server is known to be dead. Blocks.
     */
    public static boolean awaitServing(InetSocketAddress address, Duration limit, BooleanSupplier isAlive)
            throws InterruptedException {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        if (!awaitListening(address, deadlineNanos, isAlive)) {
            return false;
        }
        ManagedChannel channel =
                NettyChannelBuilder.forAddress(address).usePlaintext().build();
        try {
            while (!serves(channel)) {
                if (!isAlive.getAsBoolean() || System.nanoTime() - deadlineNanos > 0) {
                    return false;
                }
                Thread.sleep(POLL_MILLIS);
            }
            return true;
        } finally {
            channel.shutdownNow().awaitTermination(1, TimeUnit.SECONDS);
        }
    }

    /** Returns whether the server reports now that it serves. Blocks for a second at most. */
    public static boolean serves(InetSocketAddress address) {
        ManagedChannel channel =
                NettyChannelBuilder.forAddress(address).usePlaintext().build();
        try {
            return serves(channel);
        } finally {
            channel.shutdownNow();
        }
    }

    /**
     * Returns true once the server listens; false if the limit passes first, or the server is known to be dead. Blocks.
     */
    public static boolean awaitListening(InetSocketAddress address, Duration limit, BooleanSupplier isAlive)
            throws InterruptedException {
        return awaitListening(address, System.nanoTime() + limit.toNanos(), isAlive);
    }

    private static boolean awaitListening(InetSocketAddress address, long deadlineNanos, BooleanSupplier isAlive)
            throws InterruptedException {
        while (!accepts(address)) {
            if (!isAlive.getAsBoolean() || System.nanoTime() - deadlineNanos > 0) {
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }

    private static boolean accepts(InetSocketAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(address, CONNECT_LIMIT_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean serves(ManagedChannel channel) {
        if (channel.getState(true) == ConnectivityState.TRANSIENT_FAILURE) {
            channel.resetConnectBackoff();
        }
        try {
            return HealthGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(Duration.ofSeconds(1))
                            .check(REQUEST)
                            .getStatus()
                    == ServingStatus.SERVING;
        } catch (StatusRuntimeException e) {
            return false;
        }
    }
}
