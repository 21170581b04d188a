package io.taskmaster.cli.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.taskmaster.archive.ArchiveEntry;
import io.taskmaster.archive.ArchiveReader;
import io.taskmaster.archive.ArchiveWriter;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.TransferProgress;
import io.taskmaster.client.QueueOptions;
import io.taskmaster.client.ServiceClass;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.time.Clock;
import io.taskmaster.v1.Status;
import io.taskmaster.v1.TaskMasterGrpc;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Tests of the bound on tasks that an import has read and not yet sent, against a server that answers only when the
 * test says so.
 */
final class ImporterTest {

    private static final int TASKS = 20_000;
    private static final int IN_FLIGHT = 8;
    private static final int UPDATE_TASKS = 500;

    @Test
    void noMoreIsReadThanCanBeSent() throws Exception {
        byte[] archive = archive();
        try (var service = new HeldService();
                TaskMasterClient client = TaskMasterClient.connect("127.0.0.1:" + service.port());
                var reader = new ArchiveReader(new ByteArrayInputStream(archive))) {
            var importer = new Importer(
                    client,
                    new Importer.Settings(IfExists.COLLAPSE, false, Map.of(), ServiceClass.INTERACTIVE),
                    TransferProgress.of(nobody(), "import", TASKS));
            CompletableFuture<Void> run = CompletableFuture.runAsync(() -> {
                try {
                    importer.run(reader);
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });

            await().until(() -> service.held.size() == IN_FLIGHT);
            service.answerOldest();
            await().until(() -> service.asked.get() == IN_FLIGHT + 1);
            assertThat(service.held).hasSize(IN_FLIGHT);
            // One more update waits for its place, and the first task after it was read to find it full.
            assertThat(reader.tasks()).isLessThanOrEqualTo((IN_FLIGHT + 2) * UPDATE_TASKS + 1L);

            service.answerAll();
            run.join();
            assertThat(service.asked).hasValue(TASKS / UPDATE_TASKS);
            assertThat(importer.enqueued()).isEqualTo(TASKS);
            assertThat(importer.ofLast()).isEqualTo(TASKS);
        }
    }

    private static byte[] archive() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var archive = new ArchiveWriter(bytes)) {
            archive.write(new ArchiveEntry.Queue(QueueKey.of("q"), QueueOptions.DEFAULT));
            for (int i = 0; i < TASKS; i++) {
                archive.write(new ArchiveEntry.Task(
                        Pid.of("%08d".formatted(i)), Bytes.EMPTY, Map.of(), Optional.empty(), Instant.EPOCH, 0));
            }
            archive.finish();
        }
        return bytes.toByteArray();
    }

    private static Terminal nobody() {
        var silent = new PrintWriter(new StringWriter());
        return new Terminal(InputStream.nullInputStream(), silent, silent, false, Clock.system());
    }

    /**
     * A fake service that holds updates until the test has them answered. They arrive in any order: those sent before
     * there is a connection wait for it, and are then sent from many threads. Thread-safe.
     */
    private static final class HeldService extends TaskMasterGrpc.TaskMasterImplBase implements AutoCloseable {

        /** The held updates by their first PID, which is the order in which they were sent. */
        final ConcurrentSkipListMap<String, Runnable> held = new ConcurrentSkipListMap<>();

        final AtomicInteger asked = new AtomicInteger();
        private volatile boolean free;
        private final Server server;

        HeldService() throws IOException {
            server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .directExecutor()
                    .addService(this)
                    .build()
                    .start();
        }

        int port() {
            return server.getPort();
        }

        @Override
        public void updateTasks(UpdateRequest request, StreamObserver<UpdateReply> sink) {
            UpdateReply.Builder reply = UpdateReply.newBuilder().setSuccess(true);
            request.getEnqueueList()
                    .forEach(task -> reply.addEnqueueStatus(Status.OK).addAssignedPid(task.getPid()));
            held.put(request.getEnqueue(0).getPid().toStringUtf8(), () -> {
                sink.onNext(reply.build());
                sink.onCompleted();
            });
            asked.incrementAndGet();
            if (free) {
                answerAll();
            }
        }

        void answerOldest() {
            held.pollFirstEntry().getValue().run();
        }

        void answerAll() {
            free = true;
            for (var next = held.pollFirstEntry(); next != null; next = held.pollFirstEntry()) {
                next.getValue().run();
            }
        }

        @Override
        public void close() {
            server.shutdownNow();
        }
    }
}
