package io.taskmaster.server.engine.naive;

import static io.taskmaster.command.Command.IfExists.COLLAPSE;
import static io.taskmaster.command.Command.IfExists.FAIL;
import static io.taskmaster.command.Command.IfExists.REPLACE;
import static io.taskmaster.command.Reply.Status.ABORTED;
import static io.taskmaster.command.Reply.Status.ALREADY_EXISTS;
import static io.taskmaster.command.Reply.Status.COLLAPSED;
import static io.taskmaster.command.Reply.Status.LEASED;
import static io.taskmaster.command.Reply.Status.LEASE_EXPIRED;
import static io.taskmaster.command.Reply.Status.LEASE_LOST;
import static io.taskmaster.command.Reply.Status.NOT_FOUND;
import static io.taskmaster.command.Reply.Status.OK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Dequeue;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Release;
import io.taskmaster.command.Command.Renew;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Reply.Leased;
import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.command.Reply.Status;
import io.taskmaster.command.Reply.Summary;
import io.taskmaster.command.Reply.Updated;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of the replies that the naive model accepts, and of those that it does not. */
final class NaiveQueuesTest {

    private static final GroupName GROUP = GroupName.of("g");
    private static final QueueName QUEUE = QueueName.of("q");
    private static final QueueKey KEY = new QueueKey(GROUP, QUEUE);
    private static final Pid A = Pid.of("a");
    private static final Pid B = Pid.of("b");
    private static final Payload DATA = new Payload(Bytes.of("data"), Map.of());
    private static final long LEASE_MILLIS = 100;

    private final NaiveQueues queues = new NaiveQueues();

    @Test
    void anEnqueuedTaskIsLeasedOnceUntilItsLeaseExpires() {
        enqueue(A);
        lease(7, 1_000, A);
        assertThatThrownBy(() -> lease(8, 1_099, A)).isInstanceOf(Unexplained.class);
        queues.check(leaseOf(1), new Leased(List.of()), Moment.at(1_099));
        queues.check(leaseOf(1), leased(8, 1_100, 2, A), Moment.at(1_100));
    }

    @Test
    void aLeaseTakesTheFirstOnesInOrder() {
        enqueue(B);
        enqueue(A);
        assertThatThrownBy(() -> lease(7, 1_000, B)).isInstanceOf(Unexplained.class);
        lease(7, 1_000, A, B);
    }

    @Test
    void nothingIsAnsweredOnlyWhereNothingIs() {
        enqueue(A);
        assertThatThrownBy(() -> queues.check(leaseOf(1), new Leased(List.of()), Moment.at(1_000)))
                .isInstanceOf(Unexplained.class);
    }

    @Test
    void leaseIdsGrow() {
        enqueue(A);
        enqueue(B);
        lease(7, 1_000, A);
        assertThatThrownBy(() -> lease(7, 1_000, B)).isInstanceOf(Unexplained.class);
    }

    @Test
    void anExpiredLeaseStillDequeuesUntilSomebodyTakesTheTask() {
        enqueue(A);
        lease(7, 1_000, A);
        NaiveQueues taken = queues.copy();
        expect(2_000, update(dequeue(A, 7)), OK);
        taken.check(leaseOf(1), leased(8, 2_000, 2, A), Moment.at(2_000));
        taken.check(update(dequeue(A, 7)), refused(LEASE_LOST), Moment.at(2_000));
    }

    @Test
    void whatExistsCollapsesIsReplacedOrRefuses() {
        enqueue(A);
        check(1_000, enqueueOf(A, COLLAPSE), new Updated(true, List.of(COLLAPSED), e(), e(), e(), List.of(A)));
        check(1_000, enqueueOf(A, FAIL), new Updated(false, List.of(ALREADY_EXISTS), e(), e(), e(), List.of()));
        check(1_000, enqueueOf(A, REPLACE), new Updated(true, List.of(OK), e(), e(), e(), List.of(A)));
        lease(7, 1_000, A);
        check(1_000, enqueueOf(A, REPLACE), new Updated(false, List.of(LEASED), e(), e(), e(), List.of()));
        check(1_100, enqueueOf(A, REPLACE), new Updated(true, List.of(OK), e(), e(), e(), List.of(A)));
        // All of it is new, also the number of its attempts and the lease that counts.
        check(1_100, update(dequeue(A, 7)), refused(LEASE_LOST));
        queues.check(leaseOf(1), leased(8, 1_100, 1, A), Moment.at(1_100));
    }

    @Test
    void aRefusedUpdateLeavesNothingButItsRenewals() {
        enqueue(A);
        lease(7, 1_000, A);
        Command.Update update = new Command.Update(
                GROUP,
                List.of(new Enqueue(QUEUE, Optional.of(B), DATA, COLLAPSE, 0)),
                List.of(new Dequeue(QUEUE, Pid.of("none"), 0)),
                List.of(new Renew(QUEUE, A, 7, 1_000), new Renew(QUEUE, A, 6, 1_000)),
                List.of(new Release(QUEUE, A, 7, 0, false)));
        check(
                1_050,
                update,
                new Updated(
                        false,
                        List.of(ABORTED),
                        List.of(NOT_FOUND),
                        List.of(OK, LEASE_LOST),
                        List.of(ABORTED),
                        List.of()));
        assertThat(queues.summary(KEY, 2_049)).isEqualTo(new Summary(KEY, 0, 1, 0));
        assertThat(queues.summary(KEY, 2_050)).isEqualTo(new Summary(KEY, 1, 0, 0));
    }

    @Test
    void elementsSeeThoseBeforeThem() {
        enqueue(A);
        lease(7, 1_000, A);
        Command.Update update = new Command.Update(
                GROUP,
                List.of(new Enqueue(QUEUE, Optional.of(A), DATA, FAIL, 0)),
                List.of(new Dequeue(QUEUE, A, 0)),
                List.of(),
                List.of(new Release(QUEUE, A, 7, 0, false)));
        check(1_000, update, new Updated(true, List.of(OK), List.of(OK), e(), List.of(OK), List.of(A)));
    }

    @Test
    void aRenewalThatComesTooLateIsReportedAndDoesNoHarm() {
        enqueue(A);
        lease(7, 1_000, A);
        Command.Update renewal =
                new Command.Update(GROUP, List.of(), List.of(), List.of(new Renew(QUEUE, A, 7, 50)), List.of());
        check(1_100, renewal, new Updated(true, e(), e(), List.of(LEASE_EXPIRED), e(), List.of()));
    }

    @Test
    void assignedPidsGrowUntilTheQueueIsEmpty() {
        Pid one = Pid.wrap(new byte[] {(byte) 0x80, 1});
        Pid two = Pid.wrap(new byte[] {(byte) 0x80, 2});
        Command.Update fifo = enqueueOf(null, COLLAPSE);
        check(1_000, fifo, new Updated(true, List.of(OK), e(), e(), e(), List.of(two)));
        assertThatThrownBy(() -> check(1_000, fifo, new Updated(true, List.of(OK), e(), e(), e(), List.of(one))))
                .isInstanceOf(Unexplained.class);
        expect(1_000, update(dequeue(two, 0)), OK);
        check(1_000, fifo, new Updated(true, List.of(OK), e(), e(), e(), List.of(one)));
    }

    @Test
    void aLeaseThatNobodyHeardOfMayHaveTakenAnythingInOrder() {
        enqueue(A);
        enqueue(B);
        List<NaiveQueues> left = queues.unanswered(leaseOf(2), Moment.at(1_000), enqueue -> List.of(Optional.empty()));
        assertThat(left.stream().map(one -> one.summary(KEY, 1_000).leased())).containsExactly(0L, 1L, 2L);
        assertThat(left).doesNotHaveDuplicates();
    }

    private void enqueue(Pid pid) {
        check(1_000, enqueueOf(pid, COLLAPSE), new Updated(true, List.of(OK), e(), e(), e(), List.of(pid)));
    }

    private void lease(long id, long nowMillis, Pid... pids) {
        queues.check(leaseOf(pids.length), leased(id, nowMillis, 1, pids), Moment.at(nowMillis));
    }

    private void expect(long nowMillis, Command.Update update, Status status) {
        check(nowMillis, update, new Updated(true, e(), List.of(status), e(), e(), List.of()));
    }

    private void check(long nowMillis, Command.Update update, Updated reply) {
        queues.check(update, reply, Moment.at(nowMillis));
    }

    private static Updated refused(Status status) {
        return new Updated(false, e(), List.of(status), e(), e(), List.of());
    }

    private static List<Status> e() {
        return List.of();
    }

    private static Command.Update enqueueOf(@Nullable Pid pid, IfExists ifExists) {
        return new Command.Update(
                GROUP,
                List.of(new Enqueue(QUEUE, Optional.ofNullable(pid), DATA, ifExists, 0)),
                List.of(),
                List.of(),
                List.of());
    }

    private static Command.Update update(Dequeue dequeue) {
        return new Command.Update(GROUP, List.of(), List.of(dequeue), List.of(), List.of());
    }

    private static Dequeue dequeue(Pid pid, long leaseId) {
        return new Dequeue(QUEUE, pid, leaseId);
    }

    private static Command.Lease leaseOf(int tasks) {
        return new Command.Lease(Selector.of(KEY), tasks, 1_000, LEASE_MILLIS, Optional.empty(), 0, 0, "w", "here");
    }

    private static Leased leased(long id, long nowMillis, int attempt, Pid... pids) {
        return new Leased(List.of(pids).stream()
                .map(pid -> new LeasedTask(
                        KEY, pid, DATA, id, nowMillis + LEASE_MILLIS, attempt, enqueuedAt(attempt, nowMillis)))
                .toList());
    }

    /**
     * Returns the time of the enqueue. In these tests everything is enqueued at 1,000, or replaced at once before it is
     * leased for the first time.
     */
    private static long enqueuedAt(int attempt, long nowMillis) {
        return attempt == 1 ? nowMillis : 1_000;
    }
}
