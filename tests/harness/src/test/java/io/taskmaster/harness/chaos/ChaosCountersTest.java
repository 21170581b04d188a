package io.taskmaster.harness.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.history.RecordedCall;
import io.taskmaster.testkit.history.RecordedOutcome;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ChaosCountersTest {

    private static final UpdateRequest HAND_OFF = UpdateRequest.newBuilder()
            .addDequeue(Dequeue.getDefaultInstance())
            .addEnqueue(Enqueue.getDefaultInstance())
            .build();
    private static final RecordedOutcome LISTED = new RecordedOutcome.Replied(ListReply.getDefaultInstance());

    @Test
    void countsCallsByHowTheyEndedAndHandOffsThatWereAcknowledged() {
        ChaosCounters chaosCounters = tally(
                call(
                        0,
                        1,
                        HAND_OFF,
                        new RecordedOutcome.Replied(
                                UpdateReply.newBuilder().setSuccess(true).build())),
                call(2, 3, HAND_OFF, new RecordedOutcome.Replied(UpdateReply.getDefaultInstance())),
                call(4, 5, HAND_OFF, new RecordedOutcome.Failed("UNAVAILABLE", "SHUTTING_DOWN")),
                call(6, RecordedCall.NEVER, HAND_OFF, RecordedOutcome.IN_FLIGHT));

        assertThat(chaosCounters.methods()).hasToString("{update=2 answered, 1 failed, 1 unknown}");
        assertThat(chaosCounters.handOffs()).isEqualTo(1);
        assertThat(chaosCounters.errors()).containsOnlyKeys("UNAVAILABLE SHUTTING_DOWN", "client died");
        assertThat(chaosCounters.unexpected()).isEmpty();
    }

    @Test
    void silenceIsTheLongestTimeInWhichNobodyWasAnswered() {
        ChaosCounters chaosCounters = tally(
                call(0, 1_000, ListRequest.getDefaultInstance(), LISTED),
                call(10, 2_000, ListRequest.getDefaultInstance(), LISTED),
                call(20, 5_000_000, ListRequest.getDefaultInstance(), new RecordedOutcome.Unknown("UNAVAILABLE", "")),
                call(30, 9_002_000, ListRequest.getDefaultInstance(), LISTED));

        assertThat(chaosCounters.silence()).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void aServerThatFindsFaultWithItselfIsUnexpected() {
        assertThat(tally(call(0, 1, HAND_OFF, new RecordedOutcome.Unknown("INTERNAL", "INTERNAL")))
                        .unexpected())
                .containsExactly("1 calls ended with INTERNAL INTERNAL");
    }

    private static ChaosCounters tally(RecordedCall... calls) {
        return ChaosCounters.of(History.of(List.of(calls)));
    }

    private static RecordedCall call(long invoked, long completed, Message request, RecordedOutcome recordedOutcome) {
        return new RecordedCall(1, "client", invoked, completed, request, recordedOutcome);
    }
}
