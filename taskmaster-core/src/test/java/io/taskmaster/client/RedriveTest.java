package io.taskmaster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.QueueKey;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.QueueSummary;
import io.taskmaster.v1.Status;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of dead letters that are refused, and of those whose leases expire while others are brought back. */
final class RedriveTest {

    private static final int LEASE_SECONDS = 60;
    private static final int NOW = 1_000;
    private static final String FOR_GOOD = "HEADERS_TOO_LARGE";
    private static final String FOR_NOW = "TOO_MANY_QUEUES";
    private static final String UNKNOWN = "OUTCOME_UNKNOWN";
    private static final String DONE = "";
    private static final String LOST = "LOST";

    private final FakeServer server = new FakeServer();
    private final BlockingClient client = server.client().blocking();
    private final List<Long> progress = new ArrayList<>();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void thoseThatTheServerCannotTakeNowAreBroughtBackLater() {
        Redrive redrive = redrive(3);
        server.answer(leased(1, "a", "b", "c"))
                .answer(results(DONE, FOR_NOW, FOR_NOW))
                .answer(results(FOR_NOW, DONE))
                .answer(results(DONE))
                .answer(leased(2));
        redrive.run(progress::add);

        assertThat(redrive.redriven()).isEqualTo(3);
        assertThat(redrive.left()).isZero();
        assertThat(progress).containsExactly(3L);
        assertThat(dequeued()).containsExactly("a b c", "b c", "b");
    }

    @Test
    void whoCannotTakeThemForLongEndsIt() {
        Redrive redrive = redrive(2);
        server.answer(leased(1, "a", "b"));
        for (int i = 0; i <= Redrive.MAX_REPETITIONS; i++) {
            server.answer(i == 0 ? results(DONE, FOR_NOW) : results(FOR_NOW));
        }
        assertThatThrownBy(() -> redrive.run(progress::add))
                .isInstanceOfSatisfying(
                        TaskMasterException.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TOO_MANY_QUEUES));
        assertThat(redrive.redriven()).isEqualTo(1);
        assertThat(redrive.left()).isEqualTo(1);
    }

    @Test
    void thoseThatStayAreCountedOnceHoweverOftenTheirLeasesRunOutAndGivenBackUnderTheLast() {
        Redrive redrive = redrive(4);
        LeaseReply again = leased(2, "again", "refused");
        server.answer(leased(1, "refused", "b"))
                .answer(results(FOR_GOOD, DONE))
                .answer(again.toBuilder()
                        .setTasks(0, again.getTasks(0).toBuilder().setEnqueued(at(NOW + 1)))
                        .build())
                .answer(leased(3, "again", "refused"))
                .answer(leased(4, "refused", "c", "d"))
                .answer(results(LOST, UNKNOWN))
                .answer(leased(5))
                .answer(results(DONE, DONE));
        assertThatThrownBy(() -> redrive.run(progress::add))
                .isInstanceOfSatisfying(
                        TaskMasterException.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.HEADERS_TOO_LARGE));

        assertThat(redrive.redriven()).isEqualTo(1);
        assertThat(redrive.left()).isEqualTo(1 + 3);
        assertThat(progress).containsExactly(2L, 2L, 2L, 2L);
        assertThat(dequeued()).containsExactly("refused b", "c d", "");
        assertThat(operations((BatchRequest) server.requests.getLast()))
                .flatExtracting(UpdateRequest::getReleaseList)
                .allSatisfy(release -> assertThat(release.getUntried()).isTrue())
                .extracting(release -> release.getPid().toStringUtf8() + " " + release.getLeaseId())
                .containsExactlyInAnyOrder("again 3", "refused 4");
    }

    private Redrive redrive(long total) {
        server.answer(ListReply.newBuilder()
                .addQueues(QueueSummary.newBuilder()
                        .setName(ByteString.copyFromUtf8("q.dead"))
                        .setAvailable(total))
                .build());
        Redrive redrive = Redrive.of(client, QueueSelector.of(QueueKey.of("q.dead")), Duration.ZERO);
        assertThat(redrive.total()).isEqualTo(total);
        return redrive;
    }

    private static Timestamp at(long seconds) {
        return Timestamp.newBuilder().setSeconds(seconds).build();
    }

    private static LeaseReply leased(long lease, String... pids) {
        LeaseReply.Builder reply = LeaseReply.newBuilder();
        for (String pid : pids) {
            reply.addTasks(io.taskmaster.v1.LeasedTask.newBuilder()
                    .setQueue(ByteString.copyFromUtf8("q.dead"))
                    .setPid(ByteString.copyFromUtf8(pid))
                    .setLeaseId(lease)
                    .setLeaseExpires(at(NOW + LEASE_SECONDS))
                    .setEnqueued(at(NOW - 1)));
        }
        return reply.build();
    }

    private static BatchReply results(String... reasons) {
        BatchReply.Builder reply = BatchReply.newBuilder();
        for (String reason : reasons) {
            BatchReply.Result.Builder result = reply.addResultsBuilder();
            if (reason.equals(DONE)) {
                result.setUpdate(UpdateReply.newBuilder()
                        .setSuccess(true)
                        .addEnqueueStatus(Status.OK)
                        .addDequeueStatus(Status.OK));
            } else if (reason.equals(LOST)) {
                result.setUpdate(
                        UpdateReply.newBuilder().addEnqueueStatus(Status.OK).addDequeueStatus(Status.LEASE_LOST));
            } else {
                result.setError(io.taskmaster.v1.Error.newBuilder().setReason(reason));
            }
        }
        return reply.build();
    }

    /** Returns the PIDs of each batch. */
    private List<String> dequeued() {
        return server.requests.stream()
                .filter(BatchRequest.class::isInstance)
                .map(request -> String.join(
                        " ",
                        operations((BatchRequest) request).stream()
                                .flatMap(update -> update.getDequeueList().stream())
                                .map(dequeue -> dequeue.getPid().toStringUtf8())
                                .toList()))
                .toList();
    }

    private static List<UpdateRequest> operations(BatchRequest batch) {
        return batch.getOperationsList().stream()
                .map(BatchRequest.Operation::getUpdate)
                .toList();
    }
}
