package io.taskmaster.bench.target;

import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.taskmaster.v1.TaskMasterGrpc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The main program of the echo service: the RPC stack of the server with the same settings, and no queue behind it. */
final class EchoServer {

    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    private EchoServer() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        start(new InetSocketAddress(loopback, Integer.parseInt(arguments[0]))).awaitTermination();
    }

    static Server start(InetSocketAddress address) throws IOException {
        HealthStatusManager health = new HealthStatusManager();
        health.setStatus(TaskMasterGrpc.SERVICE_NAME, ServingStatus.SERVING);
        return NettyServerBuilder.forAddress(address)
                .directExecutor()
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .addService(new EchoService())
                .addService(health.getHealthService())
                .build()
                .start();
    }
}
