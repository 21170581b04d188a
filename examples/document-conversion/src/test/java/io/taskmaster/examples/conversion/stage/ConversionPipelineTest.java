package io.taskmaster.examples.conversion.stage;

import static io.taskmaster.examples.conversion.stage.ConversionQueues.CONVERTED;
import static io.taskmaster.examples.conversion.stage.ConversionQueues.GROUP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.DeadLetter;
import io.taskmaster.client.PeekResult.PeekedTask;
import io.taskmaster.client.PeekResult.State;
import io.taskmaster.examples.demo.QueueTasks;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.worker.Worker;
import io.taskmaster.testkit.TestServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ConversionPipelineTest {

    /** The time limit of whole flows, on a slow machine. */
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private static final Duration FIRST = Duration.ofMillis(100);

    /** The start times of all conversions, in order. */
    private final List<Long> begunMillis = new CopyOnWriteArrayList<>();

    private final TestServer server = TestServer.inMemory();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void documentThatFailsWaitsTwiceAsLongEachTimeUntilItIsDenied() {
        DocumentConverter broken = (_, failures) -> {
            begunMillis.add(System.currentTimeMillis());
            throw new ConversionFailedException("failure " + (failures + 1));
        };
        try (Worker _ = start(broken, new Backoff(FIRST, 4), InstantSource.system())) {
            ConversionPipeline.request(server.client().blocking(), List.of("a"));
            await().atMost(TIMEOUT).until(() -> !contents("backoff/3.dead").isEmpty());
        }

        assertThat(begunMillis).hasSize(4);
        for (int failure = 1; failure < 4; failure++) {
            assertThat(begunMillis.get(failure) - begunMillis.get(failure - 1))
                    .isGreaterThanOrEqualTo(FIRST.toMillis() << (failure - 1));
        }
        PeekedTask denied = contents("backoff/3.dead").getFirst();
        assertThat(denied.data().toString()).isEqualTo("a");
        assertThat(denied.headers()).containsEntry(DeadLetter.REASON, "failed 4 times, the last time: failure 4");
    }

    @Test
    void documentsThatAreNotDueAreThereAndNobodyLeasesThem() {
        Instant now = Instant.parse("2126-11-22T21:00:00Z");
        DocumentConverter broken = (_, _) -> {
            throw new ConversionFailedException("no");
        };
        try (Worker _ = start(broken, new Backoff(FIRST, 2), InstantSource.fixed(now))) {
            ConversionPipeline.request(server.client().blocking(), List.of("a", "b"));
            await().atMost(TIMEOUT).until(() -> contents("backoff/1").size() == 2);

            long due = now.plus(FIRST).toEpochMilli();
            assertThat(contents("backoff/1"))
                    .extracting(task -> task.pid().toString())
                    .containsExactly(due + "/a", due + "/b");
            assertThat(contents("backoff/1")).extracting(PeekedTask::state).containsOnly(State.AVAILABLE);
        }
    }

    @Test
    void whatConvertsAfterSomeFailuresSaysHowMany() {
        DocumentConverter slowToStart = (_, failures) -> {
            if (failures < 2) {
                throw new ConversionFailedException("not yet");
            }
        };
        try (Worker _ = start(slowToStart, new Backoff(FIRST, 4), InstantSource.system())) {
            ConversionPipeline.request(server.client().blocking(), List.of("a"));
            await().atMost(TIMEOUT).until(() -> !contents(CONVERTED.name()).isEmpty());
        }
        assertThat(contents(CONVERTED.name()))
                .extracting(task -> CONVERTED.codec().decode(task.data()))
                .containsExactly(2);
    }

    @Test
    void resultThatCannotBeStoredIsNoFailureOfTheConversion() {
        DocumentConverter fullDisk = (_, _) -> {
            begunMillis.add(System.currentTimeMillis());
            if (begunMillis.size() == 1) {
                throw new IOException("disk full");
            }
        };
        try (Worker _ = start(fullDisk, new Backoff(FIRST, 1), InstantSource.system())) {
            ConversionPipeline.request(server.client().blocking(), List.of("a"));
            await().atMost(TIMEOUT).until(() -> !contents(CONVERTED.name()).isEmpty());
        }
        assertThat(contents(CONVERTED.name()))
                .extracting(task -> CONVERTED.codec().decode(task.data()))
                .containsExactly(0);
    }

    @Test
    void askingTwiceIsAskingOnce() {
        assertThat(ConversionPipeline.request(server.client().blocking(), List.of("a", "b")))
                .isEqualTo(2);
        assertThat(ConversionPipeline.request(server.client().blocking(), List.of("b", "c")))
                .isEqualTo(1);
        assertThat(contents("convert"))
                .extracting(task -> task.data().toString())
                .containsExactly("a", "b", "c");
    }

    private Worker start(DocumentConverter converter, Backoff backoff, InstantSource clock) {
        return Worker.start(ConversionPipeline.of(converter, backoff, clock, 2, Rate.perSecond(1e6)), server.client());
    }

    private List<PeekedTask> contents(String queue) {
        return QueueTasks.of(server.client().blocking(), new QueueKey(GROUP, QueueName.of(queue)));
    }
}
