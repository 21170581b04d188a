package io.taskmaster.testkit.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.testkit.CallKind;
import io.taskmaster.testkit.HeldReplies;
import io.taskmaster.testkit.TestServer;
import io.taskmaster.testkit.junit.TaskMasterExtension;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The tests that the guide shows: a pipeline under the faults that it must survive. */
final class ThumbnailStageTest {

    @RegisterExtension
    static final TaskMasterExtension taskmaster = TaskMasterExtension.inMemory();

    private QueueKey uploads;
    private ThumbnailStage stage;

    @BeforeEach
    void makeStage() {
        uploads = taskmaster.queue("uploads");
        stage = new ThumbnailStage(taskmaster.tasks(), uploads, taskmaster.server()::now);
    }

    @Test
    void anUploadBecomesAThumbnail() {
        taskmaster.tasks().enqueue(uploads, Pid.of("cat.png"), Bytes.of("large"));

        assertThat(stage.runOnce()).isTrue();

        assertThat(pidsIn("uploads")).isEmpty();
        assertThat(pidsIn("thumbnails")).containsExactly(Pid.of("cat.png"));
    }

    @Test
    void theUploadOfAWorkerThatDiedIsTakenOver() {
        taskmaster.tasks().enqueue(uploads, Pid.of("cat.png"), Bytes.of("large"));
        taskmaster.tasks().lease(LeaseRequest.from(uploads).length(Duration.ofMinutes(1)));
        assertThat(stage.runOnce()).as("somebody has it").isFalse();

        taskmaster.server().advance(Duration.ofMinutes(1));

        assertThat(stage.runOnce()).isTrue();
        assertThat(pidsIn("thumbnails")).containsExactly(Pid.of("cat.png"));
    }

    @Test
    void whatIsBrokenIsTriedThreeTimesAnHourApart() {
        taskmaster.tasks().enqueue(uploads, Pid.of("dog.png"), Bytes.of("broken"));

        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(stage.runOnce()).isTrue();
            assertThat(stage.runOnce()).as("before its time").isFalse();
            taskmaster.server().advance(Duration.ofHours(1));
        }

        assertThat(stage.runOnce()).isFalse();
        assertThat(pidsIn("uploads.dead")).containsExactly(Pid.of("dog.png"));
    }

    @Test
    void aLostAnswerMakesNoSecondThumbnail() {
        taskmaster.tasks().enqueue(uploads, Pid.of("cat.png"), Bytes.of("large"));

        taskmaster.server().faults().loseReplies(CallKind.UPDATE, 1);
        stage.runOnce();

        assertThat(pidsIn("thumbnails")).hasSize(1);
    }

    @Test
    void aServerThatIsTooBusyIsWaitedFor() {
        taskmaster.tasks().enqueue(uploads, Pid.of("cat.png"), Bytes.of("large"));

        taskmaster.server().faults().refuse(CallKind.ANY, 3);
        stage.runOnce();

        assertThat(pidsIn("thumbnails")).hasSize(1);
    }

    @Test
    void aCrashInTheMiddleOfTheHandOffLosesNothing() throws Exception {
        taskmaster.tasks().enqueue(uploads, Pid.of("cat.png"), Bytes.of("large"));
        TestServer server = taskmaster.server();

        try (HeldReplies held = server.faults().holdReplies(CallKind.UPDATE, 1)) {
            CompletableFuture<Boolean> run = CompletableFuture.supplyAsync(stage::runOnce);
            held.await(1, Duration.ofSeconds(10));
            server.crash();
            server.start();
            assertThat(run).succeedsWithin(Duration.ofSeconds(30));
        }

        assertThat(pidsIn("uploads")).isEmpty();
        assertThat(pidsIn("thumbnails")).hasSize(1);
    }

    @Test
    void withoutAnExtension(@TempDir Path folder) {
        try (TestServer server = TestServer.builder()
                        .onDisk(folder)
                        .standingAt(Instant.parse("2026-12-24T18:00:00Z"))
                        .set("dedup.window", "30s")
                        .recording()
                        .start();
                TaskMasterClient client = TaskMasterClient.builder(server.target())
                        .worker("worker under test")
                        .build()) {
            UpdateResult done = client.blocking().enqueue(QueueKey.of("shop", "orders"), Bytes.of("17"));
            assertThat(done.success()).isTrue();
            server.restart();

            OracleVerdict verdict = server.verdict();
            assertThat(verdict.isClean()).as(verdict::toString).isTrue();
        }
    }

    private List<Pid> pidsIn(String queue) {
        return taskmaster.tasks().peek(PeekRequest.of(taskmaster.queue(queue))).tasks().stream()
                .map(task -> task.pid())
                .toList();
    }
}
