package io.taskmaster.conformance.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.PeekResult.State;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import io.taskmaster.model.Bytes;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the workers in {@code examples/clients}, started as their readers start them, against server processes. */
final class ClientExamplesIT {

    private static final Bytes NO_NAME = Bytes.EMPTY;

    /** The attempt after which a worker moves a task to the dead letters. */
    private static final int LAST_ATTEMPT = 5;

    private final Path folder;

    ClientExamplesIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @ParameterizedTest
    @ValueSource(strings = {"python", "go", "typescript"})
    void aWorkerHandsOffRetriesGivesUpAndOutlivesItsServer(String language) throws InterruptedException {
        try (ServerProcess server = ServerProcess.start(ServerPlan.in(folder));
                TaskMasterClient client = TaskMasterClient.connect(server.target())) {
            ExampleQueues queues = new ExampleQueues(client, language);
            queues.enqueueName("often", NO_NAME);
            queues.failAttempts(LAST_ATTEMPT - 1);
            queues.enqueueName("once", NO_NAME);
            queues.enqueueName("1", Bytes.of("Ada"));

            try (ExampleWorker worker = ExampleWorker.start(
                    language,
                    Map.of("TASKMASTER_SERVER", server.target(), "TASKMASTER_GROUP", language),
                    folder.resolve("worker.log"))) {
                await().untilAsserted(() -> assertThat(queues.states())
                        .as(worker::lastOutput)
                        .containsEntry("once", State.DELAYED)
                        .hasSize(1));
                await().untilAsserted(() -> assertThat(queues.greetings()).containsExactly("Hello, Ada!"));
                await().untilAsserted(() ->
                        assertThat(queues.deadLetters()).containsKey("often").doesNotContainValue(""));

                server.kill();
                server.start();
                server.awaitServing();
                queues.enqueueName("2", Bytes.of("Grace"));

                await().untilAsserted(() -> assertThat(queues.greetings())
                        .as(worker::lastOutput)
                        .containsExactly("Hello, Ada!", "Hello, Grace!"));
            }
        }
    }

    @Test
    void workersSendATokenOverTls() throws Exception {
        try (SecuredProcess server = SecuredProcess.start(folder);
                TaskMasterClient client = server.connect();
                ExampleWorker python = ExampleWorker.start("python", server.variables("python"), log("python"));
                ExampleWorker go = ExampleWorker.start("go", server.variables("go"), log("go"));
                ExampleWorker typescript =
                        ExampleWorker.start("typescript", server.variables("typescript"), log("typescript"))) {
            Map<String, ExampleWorker> workers = Map.of("python", python, "go", go, "typescript", typescript);

            workers.keySet().forEach(language -> new ExampleQueues(client, language).enqueueName("1", Bytes.of("Ada")));

            workers.forEach((language, worker) -> await().untilAsserted(
                            () -> assertThat(new ExampleQueues(client, language).greetings())
                                    .as(() -> language + ": " + worker.lastOutput())
                                    .containsExactly("Hello, Ada!")));
        }
    }

    private Path log(String language) {
        return folder.resolve(language + ".log");
    }
}
