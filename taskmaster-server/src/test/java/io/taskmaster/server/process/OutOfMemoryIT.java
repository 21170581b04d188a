package io.taskmaster.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueName;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of servers with a small heap, and more than fits into it. */
class OutOfMemoryIT {

    @TempDir
    private Path folder;

    /** At its limits the server refuses requests, and serves on. */
    @Test
    void aServerFullOfQueuesWithLongNamesRefusesMore() {
        try (ForkedServer server = ForkedServer.start(folder.resolve("data"), folder)) {
            try (TaskMasterClient client = client(server.awaitServing())) {
                TaskMasterException refusal = null;
                for (int i = 0; refusal == null; i++) {
                    refusal = refusal(client, i);
                }
                assertThat(refusal.code()).as(server::errors).isEqualTo(ErrorCode.TOO_MANY_QUEUES);
                assertThat(refusal(client, 0)).as("queues that are there").isNull();
            }
            assertThat(server.terminate()).as(server::errors).isZero();
        }
    }

    /** The limits are set too high to protect the heap. */
    @Test
    void aServerWhoseHeapIsFullEndsWithAStatusOfItsOwn() {
        try (ForkedServer server = ForkedServer.start(
                folder.resolve("data"),
                folder,
                "queues.max=100000000",
                "window.bytes=100GiB",
                "dirty.bytes=100GiB",
                "in-flight.bytes=100GiB")) {
            try (TaskMasterClient client = client(server.awaitServing())) {
                for (int i = 0; server.isAlive(); i++) {
                    refusal(client, i);
                }
            }
            assertThat(server.awaitExit()).as(server::errors).isEqualTo(5);
            assertThat(server.errors())
                    .contains("out of memory: the heap is full")
                    .contains("-Xmx");
        }
    }

    private static TaskMasterClient client(String address) {
        return TaskMasterClient.builder(address)
                .deadline(Duration.ofMinutes(2))
                .maxRetries(0)
                .build();
    }

    /**
     * Enqueues a task into each of 1,000 new queues, retrying while the node is overloaded. Returns the refusal; null
     * if it succeeded.
     */
    private static @Nullable TaskMasterException refusal(TaskMasterClient client, int number) {
        UpdateBuilder update = Update.inDefaultGroup();
        for (int i = 0; i < 1_000; i++) {
            QueueName queue = QueueName.of("x".repeat(1_000) + (1_000 * number + i));
            update.enqueue(queue, Pid.of("task"), Bytes.of("data"));
        }
        while (true) {
            try {
                client.blocking().update(update.build());
                return null;
            } catch (TaskMasterException refusal) {
                if (refusal.code() != ErrorCode.OVERLOADED) {
                    return refusal;
                }
            }
        }
    }
}
