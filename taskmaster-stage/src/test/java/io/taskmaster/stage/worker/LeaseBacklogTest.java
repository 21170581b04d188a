package io.taskmaster.stage.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the estimate of the server's backlog from the way lease calls return. */
final class LeaseBacklogTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration SPAN = Duration.ofMillis(100);
    private static final Duration NETWORK_DELAY = Duration.ofMillis(2);
    private static final Bytes SMALL = Bytes.of("data");

    private Duration now = Duration.ofHours(1);
    private final LeaseBacklog leaseBacklog = new LeaseBacklog(LEASE, now.toNanos());

    /** Creates a leased task by the server's clock, which differs from the worker's. */
    private static LeasedTask leased(Duration queued, Bytes data) {
        Instant leased = Instant.parse("2030-01-01T00:00:00Z");
        return new LeasedTask(
                QueueKey.of("g", "q"), Pid.of("p"), data, Map.of(), 1, leased.plus(LEASE), 1, leased.minus(queued));
    }

    private static List<LeasedTask> tasks(int count, Duration queued) {
        return Collections.nCopies(count, leased(queued, SMALL));
    }

    private void pass(Duration span) {
        now = now.plus(span);
    }

    private void call(int asked, List<LeasedTask> brought, Duration took) {
        leaseBacklog.onRequest(asked, now.toNanos());
        pass(took);
        leaseBacklog.answered(brought, now.toNanos());
    }

    private long length(long done) {
        return leaseBacklog.length(done, SPAN.toNanos(), now.toNanos());
    }

    @Test
    void nobodyWaitsAsFarAsOneKnowsBeforeTheFirstCall() {
        pass(Duration.ofHours(1));
        assertThat(length(10)).isZero();
    }

    @Test
    void aCallThatComesBackFullAndSoonLeavesALineBehind() {
        call(3, tasks(3, Duration.ofMillis(1)), NETWORK_DELAY);
        assertThat(length(0)).isEqualTo(1);
    }

    @Test
    void aCallThatBringsLessHasFoundItsEnd() {
        call(3, tasks(3, Duration.ofSeconds(1)), NETWORK_DELAY);
        call(3, tasks(2, Duration.ofSeconds(1)), NETWORK_DELAY);
        assertThat(length(10)).isZero();
    }

    @Test
    void aCallThatHadToWaitStoodWhereTheLineWouldBe() {
        call(1, tasks(1, Duration.ofDays(1)), LeaseBacklog.MIN_WAIT.multipliedBy(2));
        assertThat(length(10)).isZero();
    }

    @Test
    void soDoesOneThatStillWaits() {
        call(1, tasks(1, Duration.ofSeconds(1)), NETWORK_DELAY);
        pass(Duration.ofSeconds(1));
        leaseBacklog.onRequest(1, now.toNanos());
        assertThat(length(10)).isPositive();
        pass(LeaseBacklog.MIN_WAIT.plusNanos(1));
        assertThat(length(10)).isZero();
    }

    @Test
    void theLineIsAsLongAsWhatIsDoneWhileATaskWaits() {
        call(1, List.of(), NETWORK_DELAY);
        for (int i = 0; i < 500; i++) {
            call(
                    2,
                    List.of(leased(Duration.ofMillis(200), SMALL), leased(Duration.ofMillis(400), SMALL)),
                    NETWORK_DELAY);
        }
        assertThat(length(14)).isEqualTo(42);
        assertThat(length(14)).isEqualTo(42);
    }

    @Test
    void itDoesNotLookShorterBecauseFewerWereJustDone() {
        for (int i = 0; i < 500; i++) {
            call(1, tasks(1, Duration.ofSeconds(1)), NETWORK_DELAY);
        }
        assertThat(length(5)).isEqualTo(50);
        for (int i = 0; i < 20; i++) {
            assertThat(length(4)).isBetween(43L, 49L);
            assertThat(length(5)).isBetween(43L, 50L);
        }
    }

    @Test
    void whatWasEnqueuedLongBeforeItCouldBeLeasedHasNotWaitedLongerThanTheLineIsThere() {
        call(5, tasks(4, Duration.ofDays(1)), NETWORK_DELAY);
        for (int i = 0; i < 100; i++) {
            call(5, tasks(5, Duration.ofDays(1)), NETWORK_DELAY);
        }
        assertThat(length(14)).isEqualTo(28);
    }

    @Test
    void aReplyIsFullOfBytesToo() {
        Bytes large = Bytes.wrap(new byte[(int) LeaseBacklog.FULL_BYTES / 2]);
        call(100, Collections.nCopies(2, leased(Duration.ofMillis(1), large)), NETWORK_DELAY);
        assertThat(length(0)).isEqualTo(1);
    }

    @Test
    void afterACallThatFailedNothingIsKnown() {
        call(3, tasks(3, Duration.ofMillis(1)), NETWORK_DELAY);
        leaseBacklog.onRequest(3, now.toNanos());
        pass(Duration.ofSeconds(10));
        leaseBacklog.failed(now.toNanos());
        assertThat(length(0)).isZero();
    }
}
