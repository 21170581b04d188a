package io.taskmaster.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.Update;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.metrics.QueueProfile;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A test of the durable queues of a pipeline over time, as a real server reports them. */
final class QueueProfileOnServerTest {

    private static final Duration INTERVAL = Duration.ofMillis(50);
    private static final TaskQueue<String> FETCH = TaskQueue.of("fetch", Codec.utf8());
    private static final TaskQueue<String> MAIL = TaskQueue.family("mail", Codec.utf8());

    private final TestServer server = TestServer.inMemory();
    private final BlockingClient tasks = server.client().blocking();

    private static Pipeline pipeline(Optional<String> group) {
        return group.map(Pipeline::in)
                .orElseGet(Pipeline::inAllGroups)
                .stage(FETCH, stage -> stage.handler(_ -> Outcome.done()))
                .stage(MAIL, stage -> stage.handler(_ -> Outcome.done()))
                .build();
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static Map<String, Long> last(QueueProfile profile) {
        List<QueueProfile.Row> rows = profile.rows();
        return rows.isEmpty() ? Map.of() : rows.getLast().lengths();
    }

    @Test
    void tasksAreSeenWhereverTheyAreStuck() {
        Pipeline pipeline = pipeline(Optional.of("g"));
        tasks.update(pipeline.update(
                FETCH.task("a").last(),
                MAIL.task("alice", "a").last(),
                MAIL.task("bob", "b").last(),
                MAIL.task("bob", "c").last(),
                MAIL.task("bob", "d").last().notBefore(server.now().plus(Duration.ofHours(1)))));
        // Neither dead letters nor queues of other groups count for these stages.
        tasks.enqueue(QueueKey.of("g", "mail/bob.dead"), Bytes.EMPTY);
        tasks.enqueue(QueueKey.of("other", "fetch"), Bytes.EMPTY);
        List<LeasedTask> leased = tasks.lease(
                LeaseRequest.from(MAIL.selector(Optional.of(GroupName.of("g")))).maxTasks(1));

        try (QueueProfile profile = QueueProfile.of(pipeline, server.client(), INTERVAL)) {
            await().untilAsserted(() -> assertThat(last(profile))
                    .containsOnly(
                            entry("fetch available", 1L),
                            entry("fetch leased", 0L),
                            entry("fetch delayed", 0L),
                            entry("mail available", 2L),
                            entry("mail leased", 1L),
                            entry("mail delayed", 1L)));
            tasks.update(Update.in(GroupName.of("g")).dequeue(leased.getFirst()).build());
            await().untilAsserted(() -> assertThat(last(profile)).containsEntry("mail leased", 0L));
            assertThat(profile.csv()).startsWith("seconds,\"fetch available\",\"fetch delayed\",\"fetch leased\",");
        }
    }

    @Test
    void allGroupsAreOne() {
        tasks.enqueue(QueueKey.of("g", "fetch"), Bytes.EMPTY);
        tasks.enqueue(QueueKey.of("other", "fetch"), Bytes.EMPTY);
        tasks.enqueue(QueueKey.of("other", "mail/bob"), Bytes.EMPTY);
        try (QueueProfile profile = QueueProfile.of(pipeline(Optional.empty()), server.client(), INTERVAL)) {
            await().untilAsserted(() ->
                    assertThat(last(profile)).contains(entry("fetch available", 2L), entry("mail available", 1L)));
        }
    }
}
