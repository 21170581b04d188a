package io.taskmaster.proxy.rpc.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.taskmaster.proxy.access.Rule;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.BatchRequest.Operation;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.QueueOptions;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.Release;
import io.taskmaster.v1.Renew;
import io.taskmaster.v1.UpdateRequest;
import java.util.Collections;
import org.junit.jupiter.api.Test;

final class AuditingCallTest {

    @Test
    void everyMethodThatIsAuditedSaysWhatItWasDoneTo() {
        assertThat(io.taskmaster.proxy.json.ApiOperation.ALL)
                .filteredOn(apiOperation ->
                        Rule.of(apiOperation.method().getFullMethodName()).recorded() == Rule.Recorded.ALL)
                .hasSize(2)
                .allSatisfy(apiOperation -> assertThat(AuditingCall.target(apiOperation.request(), false))
                        .contains("group="));
    }

    @Test
    void queuesAreNamedByGroupNameAndPattern() {
        QueueSelector queues = QueueSelector.newBuilder()
                .setGroup(bytes("g"))
                .addNames(bytes("a"))
                .addNames(bytes("b"))
                .setNameRe("c.*")
                .build();
        assertThat(AuditingCall.target(delete(queues), false)).isEqualTo("group='g' queues='a','b' pattern='c.*'");
        assertThat(AuditingCall.target(
                        delete(QueueSelector.newBuilder().setAllGroups(true).build()), false))
                .isEqualTo("all groups");
    }

    @Test
    void optionsAreSaidAsTheyWereSet() {
        assertThat(AuditingCall.target(
                        ConfigureRequest.newBuilder()
                                .setQueue(bytes("q"))
                                .setOptions(QueueOptions.newBuilder()
                                        .setPaused(true)
                                        .setMaxLeased(3))
                                .build(),
                        false))
                .isEqualTo("group='' queue='q' paused: true max_leased: 3");
    }

    @Test
    void namesOfStrangersNeitherBreakALineNorFillIt() {
        QueueSelector queues = QueueSelector.newBuilder()
                .setGroup(bytes("a\nb' who=\"root\"\u0007\u2028"))
                .addAllNames(Collections.nCopies(10_000, ByteString.copyFrom(new byte[1 << 10])))
                .setNameRe("x".repeat(100_000))
                .build();

        String target = AuditingCall.target(delete(queues), false);

        assertThat(target)
                .startsWith("group='a\\nb\\' who=\\\"root\\\"\\a\\342\\200\\250'")
                .contains("and 9980 more")
                .hasSizeLessThan(20_000)
                .matches("[\\x20-\\x7e…]*");
    }

    @Test
    void updatesAreOnRecordAsFarAsTheyTakeTasksWithoutTheirLease() {
        UpdateRequest work = UpdateRequest.newBuilder()
                .addEnqueue(Enqueue.newBuilder().setQueue(bytes("q")))
                .addDequeue(Dequeue.newBuilder().setQueue(bytes("q")).setLeaseId(7))
                .addRelease(Release.newBuilder().setQueue(bytes("q")).setLeaseId(7))
                .addRenew(Renew.newBuilder().setQueue(bytes("q")).setLeaseId(7))
                .build();
        assertThat(AuditingCall.target(work, false)).isEmpty();
        UpdateRequest forced = work.toBuilder()
                .setGroup(bytes("g"))
                .addRelease(Release.newBuilder().setQueue(bytes("a")))
                .addRelease(Release.newBuilder().setQueue(bytes("a")))
                .addDequeue(Dequeue.newBuilder().setQueue(bytes("b")))
                .build();
        assertThat(AuditingCall.target(forced, false))
                .isEqualTo("groups='g' queues='a','b' releases=2 dequeues=1 enqueues=0");

        assertThat(AuditingCall.target(forced, true))
                .isEqualTo("groups='g' queues='q','a','b' releases=3 dequeues=2 enqueues=1");
        assertThat(AuditingCall.target(UpdateRequest.getDefaultInstance(), true))
                .isEmpty();

        BatchRequest.Builder batch = BatchRequest.newBuilder()
                .addOperations(Operation.newBuilder().setLease(LeaseRequest.getDefaultInstance()))
                .addOperations(Operation.newBuilder().setUpdate(work));
        assertThat(AuditingCall.target(batch.build(), false)).isEmpty();
        for (int i = 0; i < 30; i++) {
            batch.addOperations(Operation.newBuilder()
                    .setUpdate(UpdateRequest.newBuilder()
                            .addRelease(Release.newBuilder().setQueue(bytes("q" + i)))));
        }
        batch.addOperations(Operation.newBuilder().setUpdate(forced));
        assertThat(AuditingCall.target(batch.build(), false))
                .startsWith("groups='','g' queues='q0','q1',")
                .endsWith("'q19' and more releases=32 dequeues=1 enqueues=0");
    }

    private static DeleteRequest delete(QueueSelector queues) {
        return DeleteRequest.newBuilder().setQueues(queues).build();
    }

    private static ByteString bytes(String text) {
        return ByteString.copyFromUtf8(text);
    }
}
