package io.taskmaster.proxy.rpc.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.error.TaskMasterException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Tests of the bounds of admission control and of the shares of callers. */
final class InFlightLimiterTest {

    private static final int MAX_REQUESTS = 800;
    private static final int MAX_BYTES = 8_000;

    private final InFlightLimiter inFlightLimiter = new InFlightLimiter(MAX_REQUESTS, MAX_BYTES);

    @Test
    void theLastOfTheRequestsIsForCallersThatHaveFewInFlight() {
        Queue<InFlightLimiter.Held> loaders = fill("loader", 0);
        assertThat(loaders).hasSize(MAX_REQUESTS - MAX_REQUESTS / InFlightLimiter.FAIR_RESERVE);

        for (int i = 0; i < MAX_REQUESTS / InFlightLimiter.FAIR_RESERVE; i++) {
            inFlightLimiter.enter(0, false, "lone");
        }
        assertThatThrownBy(() -> inFlightLimiter.enter(0, false, "lone"))
                .isInstanceOf(TaskMasterException.class)
                .hasMessage("in-flight.requests: limit reached (expected: at most 800)");
    }

    @Test
    void theLastOfTheBytesIsForCallersThatHaveFewInFlight() {
        fill("loader", 100);
        assertThatThrownBy(() -> inFlightLimiter.enter(100, false, "loader"))
                .isInstanceOf(TaskMasterException.class)
                .hasMessageStartingWith("in-flight.bytes: 7100 of this caller (expected: at most its share, 4000");
        inFlightLimiter.enter(1_000, false, "lone");

        assertThatThrownBy(() -> inFlightLimiter.enter(1, false, "lone"))
                .isInstanceOf(TaskMasterException.class)
                .hasMessage("in-flight.bytes: limit reached (expected: at most 8000)");
    }

    @Test
    void repliesThatTheNetworkHasNotTakenCountForTheirCaller() {
        InFlightLimiter.Held held = inFlightLimiter.enter(0, false, "slow reader");
        inFlightLimiter.enter(0, false, "slow reader");
        inFlightLimiter.reply(held, 7_500);

        assertThatThrownBy(() -> inFlightLimiter.enter(0, false, "slow reader"))
                .isInstanceOf(TaskMasterException.class);
        inFlightLimiter.enter(0, false, "lone");
    }

    /** However large it is: the caller could not have less in flight. */
    @Test
    void aCallersOnlyRequestCountsAgainstTheWholeAlone() {
        inFlightLimiter.enter(MAX_BYTES, false, "loader");
        assertThat(inFlightLimiter.bytes()).isEqualTo(MAX_BYTES);
    }

    @Test
    void callersThatHaveNothingInFlightAreForgottenAndNothingIsLost() throws InterruptedException {
        Queue<InFlightLimiter.Held> held = fill("loader", 1);
        for (int i = 0; i < 50; i++) {
            held.add(inFlightLimiter.enter(1, false, "lone " + i));
        }
        assertThat(inFlightLimiter.callers()).isEqualTo(51);
        held.forEach(one -> inFlightLimiter.release(one, 1));

        assertThat(inFlightLimiter.callers()).isZero();
        assertThat(inFlightLimiter.requests()).isZero();
        assertThat(inFlightLimiter.bytes()).isZero();
        inFlightLimiter.drain();
        assertThat(inFlightLimiter.awaitIdle(Duration.ofSeconds(60))).isTrue();
    }

    @Test
    void manyCallersDivideTheWhole() {
        for (int caller = 0; caller < 10; caller++) {
            for (int i = 0; i < 71; i++) {
                inFlightLimiter.enter(0, false, "caller " + caller);
            }
        }
        for (int i = 71; i < 80; i++) {
            inFlightLimiter.enter(0, false, "caller 0");
        }

        assertThatThrownBy(() -> inFlightLimiter.enter(0, false, "caller 0"))
                .isInstanceOf(TaskMasterException.class)
                .hasMessageContaining("81 of this caller (expected: at most its share, 80");
        inFlightLimiter.enter(0, false, "caller 1");
    }

    /** Enters requests of a caller until one is refused. */
    private Queue<InFlightLimiter.Held> fill(String caller, long bytes) {
        Queue<InFlightLimiter.Held> held = new ArrayDeque<>();
        while (held.size() < MAX_REQUESTS) {
            try {
                held.add(inFlightLimiter.enter(bytes, false, caller));
            } catch (TaskMasterException refused) {
                return held;
            }
        }
        return held;
    }
}
