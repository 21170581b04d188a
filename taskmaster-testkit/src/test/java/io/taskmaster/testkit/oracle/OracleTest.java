package io.taskmaster.testkit.oracle;

import static io.taskmaster.testkit.oracle.Told.bytes;
import static io.taskmaster.testkit.oracle.Told.dequeue;
import static io.taskmaster.testkit.oracle.Told.enqueue;
import static io.taskmaster.testkit.oracle.Told.lease;
import static io.taskmaster.testkit.oracle.Told.success;
import static io.taskmaster.testkit.oracle.Told.update;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.taskmaster.testkit.oracle.verdict.Promise;
import io.taskmaster.v1.ConfigureReply;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.PeekedTask;
import io.taskmaster.v1.QueueOptions;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.QueueSummary;
import io.taskmaster.v1.Status;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import org.junit.jupiter.api.Test;

/** Tests of each promise with a history that breaks it and no other; most have a counterpart that is barely legal. */
final class OracleTest {

    private static final UpdateRequest TWO = update(enqueue("a"), enqueue("b"));
    private static final PeekRequest PEEK =
            PeekRequest.newBuilder().setQueue(bytes("q")).setWithData(true).build();
    private static final PeekReply AVAILABLE_AGAIN = PeekReply.newBuilder()
            .addTasks(PeekedTask.newBuilder()
                    .setPid(bytes("a"))
                    .setData(bytes("of a"))
                    .setState(PeekedTask.State.AVAILABLE)
                    .setAttempt(1))
            .build();

    @Test
    void whatNobodyTookIsThere() {
        assertThat(told().enqueued(0, "a").peeked(5, 6).judged().broken()).containsExactly(Promise.NOTHING_LOST);
        assertThat(told().enqueued(0, "a")
                        .unknown(2, update(dequeue("a", 0)))
                        .peeked(5, 6)
                        .judged()
                        .broken())
                .isEmpty();
    }

    @Test
    void whatWasDequeuedIsGone() {
        Told dequeued = told().enqueued(0, "a").leased(2, 1, 1, "a").dequeued(4, "a", 1, Status.OK);

        assertThat(dequeued.peeked(6, 7, "a").judged().broken()).containsExactly(Promise.NOTHING_DUPLICATED);
    }

    @Test
    void nobodySeesWhatNobodyEnqueued() {
        assertThat(told().leased(0, 1, 1, "a").judged().broken()).containsExactly(Promise.NOTHING_UNEXPECTED);
        assertThat(told().unknown(0, update(enqueue("a")))
                        .leased(5, 1, 1, "a")
                        .judged()
                        .broken())
                .isEmpty();
    }

    @Test
    void aTaskHasOneHolderAtATime() {
        assertThat(told().enqueued(0, "a")
                        .leased(2, 1, 1, "a")
                        .leased(900, 2, 2, "a")
                        .judged()
                        .broken())
                .containsExactly(Promise.NO_OVERLAPPING_LEASES);
        assertThat(told().enqueued(0, "a")
                        .leased(2, 1, 1, "a")
                        .leased(1_002, 2, 2, "a")
                        .judged()
                        .broken())
                .isEmpty();
    }

    @Test
    void whatSomebodyHoldsIsNotShownAsAvailable() {
        assertThat(told().enqueued(0, "a")
                        .leased(2, 1, 1, "a")
                        .call(900, 901, PEEK, AVAILABLE_AGAIN)
                        .judged()
                        .broken())
                .containsExactly(Promise.NO_OVERLAPPING_LEASES);
        assertThat(told().enqueued(0, "a")
                        .leased(2, 1, 1, "a")
                        .call(1_002, 1_003, PEEK, AVAILABLE_AGAIN)
                        .judged()
                        .broken())
                .isEmpty();
    }

    @Test
    void aLeaseThatIsForgottenIsTheFirstOfTwoPromisesThatItsSuccessorBreaks() {
        assertThat(told().enqueued(0, "a")
                        .leased(2, 7, 1, "a")
                        .leased(900, 7, 2, "a")
                        .judged()
                        .broken())
                .containsExactly(Promise.NO_OVERLAPPING_LEASES);
    }

    @Test
    void anOldLeaseIsWorthNothing() {
        Told twice = told().enqueued(0, "a").leased(2, 1, 1, "a").leased(1_100, 2, 2, "a");

        assertThat(twice.dequeued(1_200, "a", 1, Status.OK).judged().broken())
                .containsExactly(Promise.NO_OLD_LEASE_ACCEPTED);
    }

    @Test
    void theHolderIsNotRefused() {
        Told leased = told().enqueued(0, "a").leased(2, 1, 1, "a").dequeued(5, "a", 1, Status.LEASE_LOST);

        assertThat(leased.judged().broken()).containsExactly(Promise.NO_WRONG_REFUSAL);
    }

    @Test
    void aLeaseThatNobodyWasToldOfExplainsARefusalAfterTheExpiry() {
        Told late = told().enqueued(0, "a")
                .leased(2, 1, 1, "a")
                .unknown(500, lease())
                .dequeued(1_100, "a", 1, Status.LEASE_LOST);
        Told early = told().enqueued(0, "a")
                .leased(2, 1, 1, "a")
                .unknown(500, lease())
                .dequeued(900, "a", 1, Status.LEASE_LOST);

        assertThat(late.judged().broken()).isEmpty();
        assertThat(early.judged().broken()).containsExactly(Promise.NO_WRONG_REFUSAL);
    }

    @Test
    void leaseIdsGrow() {
        Told twice = told().enqueued(0, "a").leased(2, 7, 1, "a").leased(1_100, 7, 2, "a");

        assertThat(twice.judged().broken()).containsExactly(Promise.LEASE_IDS_GROW);
    }

    @Test
    void attemptsCountTheLeases() {
        Told twice = told().enqueued(0, "a").leased(2, 1, 1, "a").leased(1_100, 2, 3, "a");
        Told unseen =
                told().enqueued(0, "a").leased(2, 1, 1, "a").unknown(3, lease()).leased(3_000, 9, 3, "a");

        assertThat(twice.judged().broken()).containsExactly(Promise.ATTEMPTS_COUNT);
        assertThat(unseen.judged().broken()).isEmpty();
    }

    @Test
    void anUnknownUpdateIsAppliedToAllOrToNone() {
        assertThat(told().unknown(0, TWO).peeked(10, 11, "a", "b").judged().broken())
                .isEmpty();
        assertThat(told().unknown(0, TWO)
                        .peeked(10, 11)
                        .peeked(20, 21, "a", "b")
                        .judged()
                        .broken())
                .isEmpty();
        assertThat(told().unknown(0, TWO).peeked(10, 11, "a").judged().broken())
                .containsExactly(Promise.ALL_OR_NOTHING);
    }

    @Test
    void aPeekSeesAllOfAnUpdateOrNothing() {
        assertThat(told().call(0, 30, TWO, success(2, 0, "a", "b"))
                        .peeked(5, 20, "b")
                        .judged()
                        .broken())
                .containsExactly(Promise.ALL_OR_NOTHING);
        assertThat(told().call(0, 30, TWO, success(2, 0, "a", "b"))
                        .peeked(5, 20)
                        .judged()
                        .broken())
                .isEmpty();
    }

    @Test
    void aHandOffOfUnknownOutcomeLosesNothing() {
        Enqueue next = Enqueue.newBuilder()
                .setQueue(bytes("next"))
                .setData(bytes("token"))
                .build();
        Told handedOff = told().enqueued(0, "a")
                .leased(2, 1, 1, "a")
                .unknown(4, update(dequeue("a", 1)).toBuilder().addEnqueue(next).build())
                .peeked(1_100, 1_101);

        assertThat(handedOff.judged().broken()).isEmpty();
        assertThat(handedOff.judgedDrained().broken()).containsExactly(Promise.NOTHING_LOST);
    }

    @Test
    void assignedPidsGrow() {
        assertThat(told().assigned(0, 1, "x", "2")
                        .assigned(2, 3, "y", "1")
                        .judged()
                        .broken())
                .containsExactly(Promise.FIFO);
        assertThat(told().assigned(0, 3, "x", "2")
                        .assigned(2, 4, "y", "1")
                        .judged()
                        .broken())
                .isEmpty();
    }

    @Test
    void anAssignedPidOfWhichNobodyWasToldMayBeOneThatOthersEnqueueOver() {
        ByteString pid = ByteString.copyFrom(new byte[] {(byte) 0x80, 1});
        UpdateRequest unassigned = update(
                Enqueue.newBuilder().setQueue(bytes("q")).setData(bytes("x")).build());
        UpdateRequest over = update(enqueue("a").toBuilder().setPid(pid).build());
        UpdateReply collapsed = UpdateReply.newBuilder()
                .setSuccess(true)
                .addEnqueueStatus(Status.COLLAPSED)
                .addAssignedPid(pid)
                .build();
        PeekRequest withoutData = PeekRequest.newBuilder().setQueue(bytes("q")).build();
        PeekReply seen = PeekReply.newBuilder()
                .addTasks(PeekedTask.newBuilder().setPid(pid))
                .build();

        assertThat(told().unknown(0, unassigned)
                        .call(1, 2, withoutData, seen)
                        .call(3, 4, over, collapsed)
                        .judged()
                        .broken())
                .isEmpty();
        assertThat(told().call(1, 2, withoutData, seen)
                        .call(3, 4, over, collapsed)
                        .judged()
                        .broken())
                .isNotEmpty();
    }

    @Test
    void nothingIsPassedOver() {
        assertThat(told().enqueued(0, "a")
                        .enqueued(0, "b")
                        .leased(5, 1, 1, "b")
                        .judged()
                        .broken())
                .containsExactly(Promise.PID_ORDER);
        assertThat(told().enqueued(5, "a")
                        .enqueued(0, "b")
                        .leased(5, 1, 1, "b")
                        .judged()
                        .broken())
                .isEmpty();
    }

    @Test
    void whatIsAvailableIsOffered() {
        assertThat(told().enqueued(0, "a").leased(5, 1, 1).judged().broken())
                .containsExactly(Promise.AVAILABLE_IS_OFFERED);
        assertThat(told().enqueued(0, "a")
                        .leased(5, 1, 1, "a")
                        .leased(500, 2, 1)
                        .judged()
                        .broken())
                .isEmpty();
    }

    @Test
    void whatWasDeletedDoesNotComeBack() {
        DeleteRequest delete = DeleteRequest.newBuilder()
                .setQueues(QueueSelector.newBuilder().addNames(bytes("q")))
                .build();
        DeleteReply deleted = DeleteReply.newBuilder()
                .addDeleted(QueueSummary.newBuilder().setName(bytes("q")).setAvailable(1))
                .build();

        assertThat(told().enqueued(0, "a")
                        .call(2, 3, delete, deleted)
                        .peeked(5, 6, "a")
                        .judged()
                        .broken())
                .containsExactly(Promise.DELETED_STAYS_DELETED);
        assertThat(told().enqueued(0, "a")
                        .unknown(2, delete)
                        .peeked(5, 6, "a")
                        .peeked(7, 8)
                        .judged()
                        .broken())
                .isEmpty();
    }

    @Test
    void aRequestIdIsAnsweredOnce() {
        UpdateRequest named =
                update(enqueue("a")).toBuilder().setRequestId(bytes("id")).build();
        UpdateReply collapsed = UpdateReply.newBuilder()
                .setSuccess(true)
                .addEnqueueStatus(Status.COLLAPSED)
                .addAssignedPid(bytes("a"))
                .build();

        assertThat(told().call(0, 1, named, success(1, 0, "a"))
                        .call(2, 3, named, collapsed)
                        .judged()
                        .broken())
                .containsExactly(Promise.REQUEST_IDS_APPLY_ONCE);
        assertThat(told().call(0, 1, named, success(1, 0, "a"))
                        .dequeued(2, "a", 0, Status.OK)
                        .call(4, 5, named, success(1, 0, "a"))
                        .peeked(6, 7)
                        .judged()
                        .broken())
                .isEmpty();
    }

    @Test
    void aDelayedTaskIsNotEarly() {
        Enqueue delayed = enqueue("a").toBuilder()
                .setNotBefore(ReferenceService.timestamp(500))
                .build();

        assertThat(told().call(0, 1, update(delayed), success(1, 0, "a"))
                        .leased(400, 1, 1, "a")
                        .judged()
                        .broken())
                .containsExactly(Promise.NOT_EARLY);
        assertThat(told().call(0, 1, update(delayed), success(1, 0, "a"))
                        .leased(500, 1, 1, "a")
                        .judged()
                        .broken())
                .isEmpty();
    }

    @Test
    void aPausedQueueLeasesNothing() {
        ConfigureRequest pause = ConfigureRequest.newBuilder()
                .setQueue(bytes("q"))
                .setOptions(QueueOptions.newBuilder().setPaused(true))
                .build();
        ConfigureReply done = ConfigureReply.getDefaultInstance();

        assertThat(told().enqueued(0, "a")
                        .call(2, 3, pause, done)
                        .leased(5, 1, 1, "a")
                        .judged()
                        .broken())
                .containsExactly(Promise.PAUSES_AND_CAPS);
        assertThat(told().enqueued(0, "a")
                        .unknown(2, pause)
                        .leased(5, 1, 1)
                        .leased(8, 1, 1, "a")
                        .judged()
                        .broken())
                .isEmpty();
    }

    @Test
    void sizesAreExact() {
        ListReply two = ListReply.newBuilder()
                .addQueues(QueueSummary.newBuilder().setName(bytes("q")).setAvailable(2))
                .build();

        assertThat(told().enqueued(0, "a")
                        .call(5, 6, ListRequest.getDefaultInstance(), two)
                        .judged()
                        .broken())
                .containsExactly(Promise.SIZES_ARE_EXACT);
        assertThat(told().enqueued(0, "a")
                        .unknown(1, update(enqueue("b")))
                        .call(5, 6, ListRequest.getDefaultInstance(), two)
                        .judged()
                        .broken())
                .isEmpty();
        assertThat(told().enqueued(0, "a")
                        .call(5, 6, ListRequest.getDefaultInstance(), ListReply.getDefaultInstance())
                        .judged()
                        .broken())
                .containsExactly(Promise.SIZES_ARE_EXACT);
    }

    @Test
    void pagesPassOverNothing() {
        ListRequest first = ListRequest.newBuilder().setMaxQueues(1).build();
        ListRequest second = first.toBuilder().setPageToken("behind p").build();
        ListReply p = page("p", "behind p");
        ListReply q = page("q", "behind q");
        ListReply r = page("r", "");

        assertThat(inThreeQueues()
                        .call(2, 3, first, p)
                        .call(4, 5, second, q)
                        .judged()
                        .broken())
                .isEmpty();
        assertThat(inThreeQueues()
                        .call(2, 3, first, p)
                        .call(4, 5, second, r)
                        .judged()
                        .broken())
                .containsExactly(Promise.SIZES_ARE_EXACT);
        assertThat(inThreeQueues().call(2, 3, first, q).judged().broken()).containsExactly(Promise.SIZES_ARE_EXACT);
    }

    private static Told inThreeQueues() {
        return told().call(
                        0,
                        1,
                        update(
                                enqueue("a").toBuilder().setQueue(bytes("p")).build(),
                                enqueue("b"),
                                enqueue("c").toBuilder().setQueue(bytes("r")).build()),
                        success(3, 0, "a", "b", "c"));
    }

    private static ListReply page(String queue, String token) {
        return ListReply.newBuilder()
                .addQueues(QueueSummary.newBuilder().setName(bytes(queue)).setAvailable(1))
                .setNextPageToken(token)
                .build();
    }

    @Test
    void whatIsBehindATokenThatNobodyWasGivenIsNotKnown() {
        ListRequest page = ListRequest.newBuilder().setPageToken("of yesterday").build();

        assertThat(told().enqueued(0, "a")
                        .call(2, 3, page, ListReply.getDefaultInstance())
                        .judged()
                        .broken())
                .isEmpty();
    }

    @Test
    void aDrainLeavesNothing() {
        assertThat(told().enqueued(0, "a").judgedDrained().broken()).containsExactly(Promise.DRAINED);
        assertThat(told().enqueued(0, "a")
                        .dequeued(2, "a", 0, Status.OK)
                        .judgedDrained()
                        .broken())
                .isEmpty();
    }

    @Test
    void anAnswerFitsItsRequest() {
        UpdateReply short1 = UpdateReply.newBuilder().setSuccess(true).build();

        assertThat(told().call(0, 1, update(enqueue("a")), short1).judged().broken())
                .containsExactly(Promise.ANSWERS_FIT);
        assertThat(told().call(0, 1, update(enqueue("a")), LeaseReply.getDefaultInstance())
                        .judged()
                        .broken())
                .containsExactly(Promise.ANSWERS_FIT);
    }

    private static Told told() {
        return new Told();
    }
}
