package io.taskmaster.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.history.RecordedCall;
import io.taskmaster.testkit.history.RecordedOutcome.Replied;
import io.taskmaster.testkit.oracle.verdict.OracleSettings;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict;
import io.taskmaster.testkit.oracle.verdict.Promise;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.Renew;
import io.taskmaster.v1.Status;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of calls by clients in other languages for which the oracle once blamed a server that was right. */
final class ConformanceFindingsTest {

    private static final ByteString QUEUE = ByteString.copyFromUtf8("q");

    private final List<RecordedCall> calls = new ArrayList<>();

    @Test
    void aFilterOfAsManyTasksAsANumberCanSayHidesEveryQueue() {
        answered(enqueue("1", ""), done(1));
        answered(ListRequest.newBuilder().setMinTasks(-1).build(), ListReply.getDefaultInstance());

        assertThat(verdict().findings()).isEmpty();
    }

    @Test
    void anotherUpdateWithTheSameRequestIdIsAnsweredAsTheFirst() {
        answered(enqueue("1", "id").toBuilder().addEnqueue(element("2")).build(), done(2));
        answered(enqueue("3", "id"), done(2));

        assertThat(verdict().findings()).isEmpty();
    }

    @Test
    void theSameUpdateIsNotAnsweredWithMoreThanItAsked() {
        answered(enqueue("1", "id"), done(2));

        assertThat(verdict().broken()).containsExactly(Promise.ANSWERS_FIT);
    }

    @Test
    void anUpdateOfTenThousandElementsOfOneTaskIsNotFollowed() {
        UpdateRequest.Builder renewals = UpdateRequest.newBuilder();
        UpdateReply.Builder renewed = UpdateReply.newBuilder().setSuccess(true);
        for (int i = 0; i < 10_000; i++) {
            renewals.addRenew(Renew.newBuilder().setQueue(QUEUE).setPid(ByteString.copyFromUtf8("1")));
            renewed.addRenewStatus(Status.NOT_FOUND);
        }
        answered(renewals.build(), renewed.build());

        assertThat(verdict().findings()).isEmpty();
    }

    private void answered(Message request, Message reply) {
        long number = calls.size() + 1L;
        calls.add(
                new RecordedCall(number, "client", number * 1_000, number * 1_000 + 500, request, new Replied(reply)));
    }

    private OracleVerdict verdict() {
        return Oracle.judge(new History(calls), OracleSettings.DEFAULT);
    }

    private static UpdateRequest enqueue(String pid, String requestId) {
        return UpdateRequest.newBuilder()
                .addEnqueue(element(pid))
                .setRequestId(ByteString.copyFromUtf8(requestId))
                .build();
    }

    private static Enqueue element(String pid) {
        return Enqueue.newBuilder()
                .setQueue(QUEUE)
                .setPid(ByteString.copyFromUtf8(pid))
                .build();
    }

    private static UpdateReply done(int enqueues) {
        UpdateReply.Builder reply = UpdateReply.newBuilder().setSuccess(true);
        for (int i = 1; i <= enqueues; i++) {
            reply.addEnqueueStatus(Status.OK).addAssignedPid(ByteString.copyFromUtf8(String.valueOf(i)));
        }
        return reply.build();
    }
}
