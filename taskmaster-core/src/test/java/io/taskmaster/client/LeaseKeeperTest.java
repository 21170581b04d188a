package io.taskmaster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.client.KeptLease.Loss;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LeaseKeeperTest {

    private static final Duration LENGTH = Duration.ofSeconds(60);
    private static final Duration THIRD = LENGTH.dividedBy(3);

    private final ManualTimer timer = new ManualTimer();
    private final List<Update> sent = new ArrayList<>();
    private final List<Long> sentAt = new ArrayList<>();
    private Function<Update, CompletableFuture<UpdateResult>> answer = update -> reply(update, Status.OK);
    private final LeaseKeeper keeper = new LeaseKeeper(this::answer, timer, LENGTH);

    @Test
    void leaseIsRenewedAfterAThirdOfItsLengthUntilItIsClosed() {
        KeptLease lease = keeper.keep(task("p"));
        timer.advance(THIRD.minusMillis(1));
        assertThat(sent).isEmpty();

        timer.advance(LENGTH);
        assertThat(sentAt).containsExactly(20L, 40L, 60L);
        assertThat(sent.getFirst().renewals())
                .containsExactly(new Update.Renewal(lease.task().queue().name(), Pid.of("p"), 7, LENGTH));

        lease.close();
        timer.advance(LENGTH);
        assertThat(sent).hasSize(3);
        assertThat(lease.isLost()).isFalse();
        assertThat(timer.alarms()).isZero();
    }

    @Test
    void leasesOfAGroupThatAreDueSoonAreRenewedInOneUpdate() {
        for (int i = 0; i < 10; i++) {
            keeper.keep(task("p" + i));
            timer.advance(Duration.ofSeconds(1));
        }
        timer.advance(LENGTH.minusSeconds(10));

        assertThat(sentAt).containsExactly(20L, 40L, 60L);
        assertThat(sent).allSatisfy(update -> assertThat(update.renewals()).hasSize(10));
        assertThat(timer.alarms()).isEqualTo(1);
    }

    @Test
    void everyGroupHasItsOwnUpdatesAndNoneIsTooLarge() {
        IntStream.range(0, LeaseKeeper.MAX_BATCH + 1).forEach(i -> keeper.keep(task("p" + i)));
        keeper.keep(task(QueueKey.of("other", "q"), "p", LENGTH));

        timer.advance(THIRD);

        assertThat(sent)
                .extracting(update -> update.renewals().size())
                .containsExactlyInAnyOrder(LeaseKeeper.MAX_BATCH, 1, 1);
    }

    @Test
    void leaseThatHasNotLongToGoIsRenewedInTime() {
        keeper.keep(task(QueueKey.of("q"), "short", Duration.ofSeconds(3)));
        keeper.keep(task(QueueKey.of("q"), "over", Duration.ofSeconds(-3)));
        timer.advance(Duration.ZERO);
        assertThat(sentAt).containsExactly(0L);
        timer.advance(LENGTH.dividedBy(4));
        assertThat(sent).hasSize(1);
    }

    @Test
    void clockThatGoesWrongOnlyMakesTheFirstRenewalEarlier() {
        timer.wallAhead(Duration.ofHours(1));
        keeper.keep(task(QueueKey.of("q"), "p", LENGTH));
        timer.advance(Duration.ZERO);
        assertThat(sent).hasSize(1);

        timer.wallAhead(Duration.ofHours(-1));
        keeper.keep(task(QueueKey.of("q"), "q", LENGTH));
        timer.advance(THIRD);
        assertThat(sent.stream().flatMap(update -> update.renewals().stream()).map(Update.Renewal::pid))
                .contains(Pid.of("q"));
    }

    @Test
    void lostLeaseIsToldAndRenewedNoMore() {
        for (Status status : List.of(Status.LEASE_LOST, Status.LEASE_EXPIRED, Status.NOT_FOUND)) {
            sent.clear();
            answer = update -> reply(update, status);
            KeptLease lease = keeper.keep(task("p"));

            timer.advance(THIRD);
            assertThat(lease.lost()).isCompletedWithValue(new Loss(status, Optional.empty()));
            assertThat(lease.isLost()).isTrue();

            timer.advance(LENGTH);
            assertThat(sent).hasSize(1);
        }
    }

    @Test
    void otherLeasesOfAnUpdateAreKept() {
        answer = update -> CompletableFuture.completedFuture(result(update.renewals().stream()
                .map(renewal -> renewal.pid().equals(Pid.of("a")) ? Status.NOT_FOUND : Status.OK)
                .toList()));
        KeptLease lost = keeper.keep(task("a"));
        KeptLease kept = keeper.keep(task("b"));

        timer.advance(LENGTH);

        assertThat(lost.isLost()).isTrue();
        assertThat(kept.isLost()).isFalse();
        assertThat(sent).extracting(update -> update.renewals().size()).containsExactly(2, 1, 1);
    }

    @Test
    void failedRenewalIsTriedAgainBeforeTheLeaseEnds() {
        answer = update -> CompletableFuture.failedFuture(new TaskMasterException(ErrorCode.OVERLOADED, "busy"));
        KeptLease lease = keeper.keep(task("p"));
        timer.advance(Duration.ofSeconds(35));
        answer = update -> reply(update, Status.OK);
        timer.advance(LENGTH);

        assertThat(sentAt.subList(0, 3)).containsExactly(20L, 30L, 40L);
        assertThat(lease.isLost()).isFalse();
    }

    @Test
    void leaseThatEndsUnconfirmedIsLostAndTheErrorSaysWhy() {
        TaskMasterException busy = new TaskMasterException(ErrorCode.OVERLOADED, "busy");
        answer = update -> CompletableFuture.failedFuture(busy);
        KeptLease lease = keeper.keep(task("p"));

        timer.advance(LENGTH.minusMillis(1));
        assertThat(lease.isLost()).isFalse();

        timer.advance(Duration.ofMillis(1));
        assertThat(lease.lost()).isCompletedWithValue(new Loss(Status.LEASE_EXPIRED, Optional.of(busy)));
        assertThat(timer.alarms()).isZero();
    }

    @Test
    void slowRenewalIsNotSentTwiceAndCountsFromWhenItWasSent() {
        List<CompletableFuture<UpdateResult>> pending = new ArrayList<>();
        answer = update -> {
            pending.add(new CompletableFuture<>());
            return pending.getLast();
        };
        keeper.keep(task("p"));
        timer.advance(Duration.ofSeconds(35));
        assertThat(pending).hasSize(1);

        pending.getFirst().complete(result(List.of(Status.OK)));
        timer.advance(Duration.ofSeconds(10));
        assertThat(sentAt).containsExactly(20L, 40L);
    }

    @Test
    void replyThatComesAfterClosingSaysNothing() {
        CompletableFuture<UpdateResult> pending = new CompletableFuture<>();
        answer = update -> pending;
        KeptLease lease = keeper.keep(task("p"));
        timer.advance(THIRD);

        lease.close();
        pending.complete(result(List.of(Status.NOT_FOUND)));

        assertThat(lease.isLost()).isFalse();
    }

    @Test
    void closedKeeperRenewsNothingAndTakesNothing() {
        KeptLease lease = keeper.keep(task("p"));
        keeper.close();
        keeper.close();
        timer.advance(LENGTH);

        assertThat(sent).isEmpty();
        assertThat(lease.isLost()).isFalse();
        assertThatThrownBy(() -> keeper.keep(task("q"))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void lengthThatNoNetworkCouldKeepIsRefused() {
        assertThatThrownBy(() -> new LeaseKeeper(this::answer, timer, Duration.ofMillis(99)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void clientsKeeperRenewsThroughTheClientAndGivesUpWhenItIsClosed() {
        try (FakeServer server = new FakeServer()) {
            server.answer(io.taskmaster.v1.UpdateReply.newBuilder()
                    .setSuccess(true)
                    .addRenewStatus(io.taskmaster.v1.Status.OK)
                    .build());
            KeptLease lease;
            try (TaskMasterClient client = server.client(timer, RequestIds.ALWAYS)) {
                lease = client.keepLeases(LENGTH).keep(task("p"));
                timer.advance(THIRD);
            }
            timer.advance(LENGTH);

            assertThat(server.requests)
                    .singleElement()
                    .isInstanceOfSatisfying(io.taskmaster.v1.UpdateRequest.class, update -> {
                        assertThat(update.getRenewCount()).isOne();
                        assertThat(update.getRequestId()).isEmpty();
                    });
            assertThat(lease.lost().join().error().orElseThrow().code()).isEqualTo(ErrorCode.NOT_CONNECTED);
        }
    }

    private CompletableFuture<UpdateResult> answer(Update update, long timeoutNanos) {
        assertThat(timeoutNanos).isEqualTo(THIRD.toNanos());
        sent.add(update);
        sentAt.add(Duration.ofNanos(timer.nanoTime()).toSeconds());
        return answer.apply(update);
    }

    private static CompletableFuture<UpdateResult> reply(Update update, Status status) {
        return CompletableFuture.completedFuture(
                result(update.renewals().stream().map(renewal -> status).toList()));
    }

    private static UpdateResult result(List<Status> renewals) {
        return new UpdateResult(true, List.of(), List.of(), renewals, List.of(), List.of());
    }

    private LeasedTask task(String pid) {
        return task(QueueKey.of("q"), pid, LENGTH);
    }

    private LeasedTask task(QueueKey queue, String pid, Duration left) {
        Instant expires = Instant.EPOCH.plusNanos(timer.nanoTime()).plus(left);
        return new LeasedTask(queue, Pid.of(pid), Bytes.EMPTY, Map.of(), 7, expires, 1, Instant.EPOCH);
    }
}
