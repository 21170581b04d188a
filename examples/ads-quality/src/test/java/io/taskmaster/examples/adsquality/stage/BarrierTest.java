package io.taskmaster.examples.adsquality.stage;

import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.AGGREGATE;
import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.AGGREGATED;
import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.GROUP;
import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.LOADING;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.DeadLetter;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.Update;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.stage.NewTask;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Task;
import io.taskmaster.testkit.TestServer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class BarrierTest {

    private static final String SET = "shoes";
    private static final NewTask<?> NEXT = LOADING.task(Bytes.EMPTY);

    private final TestServer server = TestServer.inMemory();
    private final BlockingClient client = server.client().blocking();
    private final Barrier barrier = new Barrier(client, List.of(AGGREGATE), AGGREGATED);
    private final QueueKey pipeline = AdsQualityQueues.of(AGGREGATE, SET);

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void isClosedWhileSomethingIsInsideLeasedOrNot() {
        QueueKey results = AdsQualityQueues.of(AGGREGATED, SET);
        client.enqueue(results, Pid.of("as many as went in"), Bytes.EMPTY);
        client.enqueue(pipeline, Pid.of("a"), Bytes.EMPTY);
        assertThat(pass(1)).isInstanceOf(Outcome.Hold.class);

        LeasedTask leased = client.lease(LeaseRequest.from(pipeline)).getFirst();
        assertThat(pass(1)).isInstanceOf(Outcome.Hold.class);

        client.update(Update.in(GROUP)
                .dequeue(leased)
                .enqueue(results.name(), Pid.of("a"), Bytes.EMPTY)
                .build());
        assertThat(pass(2)).isEqualTo(Outcome.handOff(NEXT));
    }

    @Test
    void isClosedUntilAllHasComeOutThoughNothingIsInside() {
        assertThat(pass(1)).isInstanceOf(Outcome.Hold.class);
        assertThat(pass(0)).isEqualTo(Outcome.handOff(NEXT));
    }

    @Test
    void deadLettersHaveComeOutAndOtherSetsDoNotMatter() {
        client.enqueue(pipeline, Pid.of("a"), Bytes.EMPTY);
        client.enqueue(AdsQualityQueues.of(AGGREGATE, "coffee"), Pid.of("b"), Bytes.EMPTY);
        LeasedTask leased = client.lease(LeaseRequest.from(pipeline)).getFirst();
        client.update(Update.in(GROUP)
                .dequeue(leased)
                .enqueue(DeadLetter.of(leased, "no"))
                .build());
        assertThat(pass(1)).isEqualTo(Outcome.handOff(NEXT));
    }

    private Outcome pass(int wentIn) {
        return barrier.pass(coordination(wentIn), NEXT);
    }

    private static Task<Integer> coordination(int wentIn) {
        return new Task<>() {
            @Override
            public Integer payload() {
                return wentIn;
            }

            @Override
            public LeasedTask lease() {
                return new LeasedTask(
                        QueueKey.of("ads-quality", "aggregating"),
                        Pid.of(SET),
                        Bytes.EMPTY,
                        Map.of(),
                        1,
                        Instant.EPOCH,
                        1,
                        Instant.EPOCH);
            }

            @Override
            public String member() {
                return "";
            }

            @Override
            public boolean isCancelled() {
                return false;
            }
        };
    }
}
