package io.taskmaster.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.error.TaskMasterException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Tests of the bounds of admission control and of the shares of callers. */
final class AdmissionTest {

    private static final int MAX_REQUESTS = 800;
    private static final int MAX_BYTES = 8_000;

    private final Admission admission = new Admission(MAX_REQUESTS, MAX_BYTES);

    @Test
    void theLastOfTheRequestsIsForCallersThatHaveFewInFlight() {
        Queue<Admission.Held> loaders = fill("loader", 0);
        assertThat(loaders).hasSize(MAX_REQUESTS - MAX_REQUESTS / Admission.FAIR_RESERVE);

        for (int i = 0; i < MAX_REQUESTS / Admission.FAIR_RESERVE; i++) {
            admission.enter(0, false, "lone");
        }
        assertThatThrownBy(() -> admission.enter(0, false, "lone"))
                .isInstanceOf(TaskMasterException.class)
                .hasMessage("in-flight.requests: reached (expected: at most 800)");
    }

    @Test
    void theLastOfTheBytesIsForCallersThatHaveFewInFlight() {
        fill("loader", 100);
        assertThatThrownBy(() -> admission.enter(100, false, "loader"))
                .isInstanceOf(TaskMasterException.class)
                .hasMessageStartingWith("in-flight.bytes: 7100 of this caller (expected: at most its part, 4000");
        admission.enter(1_000, false, "lone");

        assertThatThrownBy(() -> admission.enter(1, false, "lone"))
                .isInstanceOf(TaskMasterException.class)
                .hasMessage("in-flight.bytes: reached (expected: at most 8000)");
    }

    @Test
    void repliesThatTheNetworkHasNotTakenCountForTheirCaller() {
        Admission.Held held = admission.enter(0, false, "slow reader");
        admission.enter(0, false, "slow reader");
        admission.reply(held, 7_500);

        assertThatThrownBy(() -> admission.enter(0, false, "slow reader")).isInstanceOf(TaskMasterException.class);
        admission.enter(0, false, "lone");
    }

    /** However large it is: the caller could not have less in flight. */
    @Test
    void aCallersOnlyRequestCountsAgainstTheWholeAlone() {
        admission.enter(MAX_BYTES, false, "loader");
        assertThat(admission.bytes()).isEqualTo(MAX_BYTES);
    }

    @Test
    void callersThatHaveNothingInFlightAreForgottenAndNothingIsLost() throws InterruptedException {
        Queue<Admission.Held> held = fill("loader", 1);
        for (int i = 0; i < 50; i++) {
            held.add(admission.enter(1, false, "lone " + i));
        }
        assertThat(admission.callers()).isEqualTo(51);
        held.forEach(one -> admission.leave(one, 1));

        assertThat(admission.callers()).isZero();
        assertThat(admission.requests()).isZero();
        assertThat(admission.bytes()).isZero();
        admission.drain();
        assertThat(admission.awaitIdle(Duration.ofSeconds(60))).isTrue();
    }

    @Test
    void manyCallersDivideTheWhole() {
        for (int caller = 0; caller < 10; caller++) {
            for (int i = 0; i < 71; i++) {
                admission.enter(0, false, "caller " + caller);
            }
        }
        for (int i = 71; i < 80; i++) {
            admission.enter(0, false, "caller 0");
        }

        assertThatThrownBy(() -> admission.enter(0, false, "caller 0"))
                .isInstanceOf(TaskMasterException.class)
                .hasMessageContaining("81 of this caller (expected: at most its part, 80");
        admission.enter(0, false, "caller 1");
    }

    /** Enters requests of a caller until one is refused. */
    private Queue<Admission.Held> fill(String caller, long bytes) {
        Queue<Admission.Held> held = new ArrayDeque<>();
        while (held.size() < MAX_REQUESTS) {
            try {
                held.add(admission.enter(bytes, false, caller));
            } catch (TaskMasterException refused) {
                return held;
            }
        }
        return held;
    }
}
