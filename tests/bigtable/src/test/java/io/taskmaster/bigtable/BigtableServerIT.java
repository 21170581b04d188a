package io.taskmaster.bigtable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a server whose data is in the emulator, which outlives the server. */
final class BigtableServerIT {

    private static final QueueKey QUEUE = QueueKey.of("mail");
    private static final LeaseRequest NEXT =
            LeaseRequest.from(QUEUE).maxTasks(10).length(Duration.ofMinutes(5));

    @TempDir
    private Path folder = Path.of("");

    private BigtableEmulator emulator;
    private ServerProcess server;

    @BeforeEach
    void start() throws InterruptedException {
        emulator = BigtableEmulator.start(folder.resolve("emulator.log"));
        server = ServerProcess.start(plan());
    }

    @AfterEach
    void stop() {
        server.close();
        emulator.close();
    }

    private ServerPlan plan() {
        return ServerPlan.in(folder)
                .withStore("bigtable")
                .with("bigtable.project", "project")
                .with("bigtable.instance", "instance")
                .with("bigtable.emulator", emulator.endpoint())
                .with("partitions", "4")
                .with("flush.interval", "100ms");
    }

    @Test
    void tasksAreThereAfterAKillAndAfterAShutdown() throws InterruptedException {
        try (TaskMasterClient client = TaskMasterClient.connect(server.target())) {
            BlockingClient tasks = client.blocking();
            for (String pid : List.of("a", "b", "c")) {
                tasks.enqueue(QUEUE, Pid.of(pid), Bytes.of("data of " + pid));
            }
            List<LeasedTask> leased = tasks.lease(LeaseRequest.from(QUEUE).length(Duration.ofMinutes(5)));
            assertThat(leased).extracting(LeasedTask::data).containsExactly(Bytes.of("data of a"));
            assertThat(tasks.dequeue(leased.getFirst()).success()).isTrue();

            server.kill();
            server.start();
            server.awaitServing();

            List<LeasedTask> left = tasks.lease(NEXT);
            assertThat(left).extracting(LeasedTask::pid).containsExactly(Pid.of("b"), Pid.of("c"));
            assertThat(tasks.dequeue(left.getFirst()).success()).isTrue();
            assertThat(server.terminate()).hasValue(0);
            server.start();
            server.awaitServing();

            assertThat(tasks.dequeue(left.getLast()).success()).isTrue();
            assertThat(tasks.lease(NEXT)).isEmpty();
        }
    }

    @Test
    void taskWhoseRowWouldBeTooLongIsRefusedBeforeItIsAcknowledged() {
        try (TaskMasterClient client = TaskMasterClient.connect(server.target())) {
            assertThatThrownBy(() -> client.blocking().enqueue(QUEUE, Pid.of("p".repeat(4096)), Bytes.EMPTY))
                    .isInstanceOfSatisfying(
                            TaskMasterException.class,
                            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.PID_TOO_LONG))
                    .hasMessageContaining("expected: at most 4095 in this store");
        }
    }

    @Test
    void secondServerIsToldWhoHasTheData() {
        assertThatThrownBy(() -> ServerProcess.start(plan().with("node.id", "another")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the data is held by node");
    }
}
