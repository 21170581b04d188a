package io.taskmaster.bench.workload;

import static org.awaitility.Awaitility.await;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.taskmaster.bench.target.Target;
import io.taskmaster.testkit.FreePort;
import io.taskmaster.v1.TaskMasterGrpc;
import java.io.IOException;
import java.net.InetSocketAddress;

/** A service behind a real port of this process. A kill closes the port and breaks every connection. */
public final class FakeTarget implements Target.Restartable {

    private final BindableService service;
    private final InetSocketAddress address;
    private Server server;

    public FakeTarget(BindableService service) {
        this.service = service;
        this.server = FreePort.open(this::openAt);
        this.address = (InetSocketAddress) server.getListenSockets().getFirst();
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public void kill() throws InterruptedException {
        server.shutdownNow().awaitTermination();
    }

    @Override
    public void stop() throws InterruptedException {
        kill();
    }

    @Override
    public void start() {
        // A closed port becomes free only when the selecting thread next runs, so binding is retried.
        server = await().ignoreExceptionsInstanceOf(IOException.class).until(() -> openAt(address), _ -> true);
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private Server openAt(InetSocketAddress free) throws IOException {
        HealthStatusManager health = new HealthStatusManager();
        health.setStatus(TaskMasterGrpc.SERVICE_NAME, ServingStatus.SERVING);
        return NettyServerBuilder.forAddress(free)
                .directExecutor()
                .addService(service)
                .addService(health.getHealthService())
                .build()
                .start();
    }
}
