package io.taskmaster.conformance.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.PeekResult.PeekedTask;
import io.taskmaster.client.PeekResult.State;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.ByteSequence;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The queues of an example worker, in a group of its own. Thread-safe. */
final class ExampleQueues {

    private static final Duration WAIT = Duration.ofSeconds(30);

    private final TaskMasterClient client;
    private final QueueKey names;
    private final QueueKey greetings;
    private final QueueKey deadLetters;

    ExampleQueues(TaskMasterClient client, String group) {
        this.client = client;
        names = QueueKey.of(group, "names");
        greetings = QueueKey.of(group, "greetings");
        deadLetters = QueueKey.of(group, "names.dead");
    }

    void enqueueName(String pid, Bytes name) {
        assertThat(client.blocking().enqueue(names, Pid.of(pid), name).success())
                .isTrue();
    }

    /** Leases and releases the first name several times. */
    void failAttempts(int attempts) {
        for (int i = 0; i < attempts; i++) {
            List<LeasedTask> leased =
                    client.blocking().lease(LeaseRequest.from(names).maxWait(WAIT));
            assertThat(leased).hasSize(1);
            assertThat(client.blocking().release(leased.getFirst()).success()).isTrue();
        }
    }

    /** Returns the states of the names that are still queued, by PID. */
    Map<String, State> states() {
        return peek(names).stream().collect(toMap(task -> text(task.pid()), PeekedTask::state));
    }

    List<String> greetings() {
        return peek(greetings).stream().map(task -> text(task.data())).toList();
    }

    /** Returns the reasons of dead letters, by PID. */
    Map<String, String> deadLetters() {
        return peek(deadLetters).stream()
                .collect(toMap(task -> text(task.pid()), task -> task.headers().getOrDefault("dead-reason", "")));
    }

    private List<PeekedTask> peek(QueueKey queue) {
        return client.blocking().peek(PeekRequest.of(queue).withData(true)).tasks();
    }

    private static String text(ByteSequence bytes) {
        return new String(bytes.toByteArray(), UTF_8);
    }
}
