package io.taskmaster.harness.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.ListRequest;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueKey;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerProcessIT {

    private static final QueueKey QUEUE = QueueKey.of("group", "queue");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void comesBackWithItsDataOnItsAddressHoweverItEnded() throws InterruptedException {
        try (ServerProcess server = ServerProcess.start(ServerPlan.in(folder).with("partitions", "4"));
                TaskMasterClient client = TaskMasterClient.builder(server.target())
                        .deadline(Duration.ofSeconds(60))
                        .maxRetries(100)
                        .build()) {
            client.blocking().enqueue(QUEUE, Bytes.of("one"));
            server.kill();
            assertThat(server.isAlive()).isFalse();
            server.start();
            server.awaitServing();
            client.blocking().enqueue(QUEUE, Bytes.of("two"));
            assertThat(server.terminate()).hasValue(0);
            server.start();
            server.awaitServing();
            client.blocking().enqueue(QUEUE, Bytes.of("three"));

            assertThat(client.blocking()
                            .list(ListRequest.of(QueueSelector.all()))
                            .queues())
                    .singleElement()
                    .satisfies(queue -> assertThat(queue.available()).isEqualTo(3));
            assertThat(server.starts()).isEqualTo(3);
        }
    }
}
