package io.taskmaster.proxy.rpc.scatter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.MessageLite;
import com.google.rpc.Code;
import io.taskmaster.command.Reply;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Pid;
import io.taskmaster.proxy.config.Limits;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.proxy.rpc.call.OffloadExecutor;
import io.taskmaster.proxy.rpc.mapping.RequestMapper;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.BatchRequest.Operation;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.UpdateRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class BatchCallTest {

    private static final Reply NOTHING = new Reply.Leased(List.of());

    private final Operations operations = new Operations();
    private final List<BatchReply> answers = new ArrayList<>();
    private boolean cancelled;

    // ---------------------------------------------------------------- results

    @Test
    void resultsAreInTheOrderOfTheOperationsHoweverTheAnswersCome() {
        submit(update("a", "0"), lease("b", "1"), update("c", "2"), lease("d", "3"));
        operations.reply("3", NOTHING);
        operations.reply("0", enqueuedAs("first"));
        operations.reply("2", enqueuedAs("third"));
        assertThat(answers).isEmpty();
        operations.reply("1", NOTHING);

        BatchReply reply = onlyAnswer();
        assertThat(reply.getResultsList())
                .extracting(BatchReply.Result::getKindCase)
                .containsExactly(
                        BatchReply.Result.KindCase.UPDATE,
                        BatchReply.Result.KindCase.LEASE,
                        BatchReply.Result.KindCase.UPDATE,
                        BatchReply.Result.KindCase.LEASE);
        assertThat(reply.getResults(0).getUpdate().getAssignedPid(0)).isEqualTo(bytes("first"));
        assertThat(reply.getResults(2).getUpdate().getAssignedPid(0)).isEqualTo(bytes("third"));
    }

    @Test
    void aSlowOperationHoldsUpTheReplyButNoOperationOfAnotherGroup() {
        submit(update("slow", "0"), update("b", "1"), update("b", "2"));
        operations.answer("1");
        operations.answer("2");
        assertThat(answers).isEmpty();
        operations.answer("0");

        assertThat(onlyAnswer().getResultsList()).allMatch(BatchReply.Result::hasUpdate);
    }

    @Test
    void ofManyGroupsOnlySomeAreAtItAtAnyTime() {
        submit(IntStream.range(0, 1_000)
                .mapToObj(i -> update("group " + i, "" + i))
                .toArray(Operation[]::new));
        assertThat(operations.handedOn).hasSize(64);
        operations.decide("7");
        assertThat(operations.handedOn).hasSize(65).contains("64");

        for (int i = 0; i < 1_000; i++) {
            operations.answer("" + i);
        }
        assertThat(onlyAnswer().getResultsList()).hasSize(1_000).allMatch(BatchReply.Result::hasUpdate);
    }

    @Test
    void ofManyRefusedGroupsNoneIsNestedInAnother() {
        Operation[] many = new Operation[10_000];
        for (int i = 0; i < many.length; i++) {
            many[i] = update("group " + i, "" + i);
            operations.refused.put("" + i, new TaskMasterException(ErrorCode.TASK_TOO_LARGE, "too large"));
        }
        submit(many);

        assertThat(reasons(onlyAnswer())).containsOnly("TASK_TOO_LARGE");
    }

    @Test
    void aFailedOperationIsAnErrorInItsPlaceAndTheOthersGoOn() {
        submit(update("a", "0"), update("a", "1"), update("b", "2"));
        operations.fail("0", ErrorCode.PARTITION_OPENING);
        operations.answer("1");
        operations.answer("2");

        BatchReply reply = onlyAnswer();
        assertThat(reply.getResults(0).getError().getCode()).isEqualTo(Code.UNAVAILABLE_VALUE);
        assertThat(reply.getResults(0).getError().getReason()).isEqualTo("PARTITION_OPENING");
        assertThat(reply.getResults(0).getError().getMessage()).isEqualTo("0");
        assertThat(reply.getResults(1).hasUpdate()).isTrue();
        assertThat(reply.getResults(2).hasUpdate()).isTrue();
    }

    @Test
    void aRefusedOperationIsAnErrorInItsPlaceAndTheOthersGoOn() {
        operations.refused.put("0", new TaskMasterException(ErrorCode.TASK_TOO_LARGE, "too large"));
        operations.refused.put("2", new IllegalStateException("a defect"));
        submit(update("a", "0"), update("a", "1"), update("a", "2"), update("a", "3"));
        operations.answer("1");
        operations.answer("3");

        assertThat(reasons(onlyAnswer())).containsExactly("TASK_TOO_LARGE", "", "INTERNAL", "");
    }

    @Test
    void whatABatchCannotHoldIsRefusedOneByOne() {
        Operation waiting = lease("a", "0").toBuilder()
                .setLease(lease("a", "0").getLease().toBuilder().setWait(Duration.getDefaultInstance()))
                .build();
        submit(waiting, Operation.getDefaultInstance(), update("a", "2"));
        operations.answer("2");

        assertThat(reasons(onlyAnswer())).containsExactly("WAIT_IN_BATCH", "INVALID_FIELD", "");
        assertThat(operations.handedOn).containsExactly("2");
    }

    @Test
    void aBatchOfRefusalsIsAnsweredAtOnce() {
        submit(Operation.getDefaultInstance(), Operation.getDefaultInstance());

        assertThat(reasons(onlyAnswer())).containsExactly("INVALID_FIELD", "INVALID_FIELD");
    }

    @Test
    void aBatchOfNothingIsAnsweredAtOnce() {
        submit();

        assertThat(onlyAnswer().getResultsList()).isEmpty();
    }

    @Test
    void aBatchWithTooManyOperationsIsRefusedAsAWhole() {
        var operation = update("a", "0");
        BatchRequest.Builder request = BatchRequest.newBuilder();
        for (int i = 0; i <= Limits.BATCH_OPERATIONS; i++) {
            request.addOperations(operation);
        }
        assertThat(refusalOf(request.build())).isEqualTo(ErrorCode.BATCH_TOO_LARGE);
    }

    @Test
    void aBatchWithTooManyBytesIsRefusedAsAWhole() {
        ByteString data = ByteString.copyFrom(new byte[Limits.BATCH_BYTES / 3]);
        Operation large = Operation.newBuilder()
                .setUpdate(UpdateRequest.newBuilder()
                        .addEnqueue(Enqueue.newBuilder().setData(data)))
                .build();
        assertThat(refusalOf(BatchRequest.newBuilder()
                        .addOperations(large)
                        .addOperations(large)
                        .addOperations(large)
                        .build()))
                .isEqualTo(ErrorCode.BATCH_TOO_LARGE);
    }

    // ---------------------------------------------------------------- order

    @Test
    void operationsOfAGroupAreHandedOnOneAfterTheOtherAsSoonAsTheOneBeforeIsDecided() {
        submit(update("a", "0"), lease("a", "1"), update("a", "2"));
        assertThat(operations.handedOn).containsExactly("0");
        operations.decide("0");
        assertThat(operations.handedOn).containsExactly("0", "1");
        operations.decide("1");
        assertThat(operations.handedOn).containsExactly("0", "1", "2");
        assertThat(answers).isEmpty();

        operations.answer("0");
        operations.answer("1");
        operations.answer("2");
        onlyAnswer();
    }

    @Test
    void groupsGoOnSideBySide() {
        submit(update("a", "0"), update("b", "1"), update("a", "2"), update("b", "3"));
        assertThat(operations.handedOn).containsExactly("0", "1");
        operations.decide("1");
        assertThat(operations.handedOn).containsExactly("0", "1", "3");
    }

    @Test
    void aLeaseOverAllGroupsKeepsItsPlaceAmongTheOperationsOfEveryGroup() {
        Operation everywhere = Operation.newBuilder()
                .setLease(LeaseRequest.newBuilder()
                        .setWorker("1")
                        .setQueues(QueueSelector.newBuilder().setAllGroups(true)))
                .build();
        submit(update("a", "0"), everywhere, update("b", "2"));
        assertThat(operations.handedOn).containsExactly("0");
        operations.answer("0");
        assertThat(operations.handedOn).containsExactly("0", "1");
        operations.answer("1");
        assertThat(operations.handedOn).containsExactly("0", "1", "2");
    }

    @Test
    void aGroupOfManyThatAreAnsweredWhileTheyAreHandedOnIsNotNested() {
        operations.answersAtOnce = true;
        BatchRequest.Builder request = BatchRequest.newBuilder();
        for (int i = 0; i < Limits.BATCH_OPERATIONS; i++) {
            request.addOperations(update("a", Integer.toString(i)));
        }
        submit(request.build());

        assertThat(onlyAnswer().getResultsCount()).isEqualTo(Limits.BATCH_OPERATIONS);
        assertThat(operations.deepest).isEqualTo(1);
    }

    @Test
    void whateverTheOrderOfEventsTheOrderOfEachGroupAndOfTheResultsIsKept() {
        for (long seed = 0; seed < 500; seed++) {
            var random = new SplittableRandom(seed);
            var tried = new BatchCallTest();
            int count = random.nextInt(1, 30);
            BatchRequest.Builder request = BatchRequest.newBuilder();
            for (int i = 0; i < count; i++) {
                request.addOperations(update("group " + random.nextInt(4), Integer.toString(i)));
            }
            tried.submit(request.build());
            while (!tried.operations.sinks.isEmpty()) {
                List<String> open = List.copyOf(tried.operations.sinks.keySet());
                String label = open.get(random.nextInt(open.size()));
                switch (random.nextInt(3)) {
                    case 0 -> tried.operations.decide(label);
                    case 1 -> tried.operations.answer(label);
                    default -> tried.operations.fail(label, ErrorCode.READ_FAILED);
                }
            }
            tried.assertOrder(request.build(), "seed " + seed);
        }
    }

    private void assertOrder(BatchRequest request, String seed) {
        Map<ByteString, Integer> last = new HashMap<>();
        for (String label : operations.handedOn) {
            int index = Integer.parseInt(label);
            Integer before = last.put(request.getOperations(index).getUpdate().getGroup(), index);
            assertThat(before == null || before < index).as(seed).isTrue();
        }
        BatchReply reply = onlyAnswer();
        assertThat(reply.getResultsCount()).as(seed).isEqualTo(request.getOperationsCount());
        for (int i = 0; i < reply.getResultsCount(); i++) {
            BatchReply.Result result = reply.getResults(i);
            String label = result.hasError()
                    ? result.getError().getMessage()
                    : result.getUpdate().getAssignedPid(0).toStringUtf8();
            assertThat(label).as(seed).isEqualTo(Integer.toString(i));
        }
    }

    // ---------------------------------------------------------------- leases

    @Test
    void leasesWithoutALimitShareTheBytesOfOne() {
        submit(lease("a", "0"), lease("b", "1"), update("c", "2"));

        assertThat(operations.leases)
                .extracting(LeaseRequest::getMaxBytes)
                .containsOnly(RequestMapper.DEFAULT_BYTES / 2);
    }

    @Test
    void aCallerWhoWentAwayIsSeenByEveryOperation() {
        submit(lease("a", "0"), lease("a", "1"));
        assertThat(operations.sink("0").isCancelled()).isFalse();
        cancelled = true;
        assertThat(operations.sink("0").isCancelled()).isTrue();
        operations.answer("0");

        assertThat(operations.sink("1").isCancelled()).isTrue();
    }

    // ---------------------------------------------------------------- fixtures

    /** A fake service that records operations by their labels, and answers when the test says so. */
    private static final class Operations implements BatchCall.Target {

        final List<String> handedOn = new ArrayList<>();
        final List<LeaseRequest> leases = new ArrayList<>();
        final Map<String, RuntimeException> refused = new HashMap<>();
        boolean answersAtOnce;
        int deepest;

        /** The sinks of operations without an answer, by label. */
        private final Map<String, ReplySink> sinks = new HashMap<>();

        private final Set<String> decided = new HashSet<>();
        private int depth;

        @Override
        public void update(UpdateRequest request, ReplySink sink) {
            take(request.getRequestId().toStringUtf8(), sink);
        }

        @Override
        public void lease(LeaseRequest request, ReplySink sink) {
            leases.add(request);
            take(request.getWorker(), sink);
        }

        @Override
        public String callerOf(MessageLite operation) {
            return "caller";
        }

        private void take(String label, ReplySink sink) {
            if (refused.containsKey(label)) {
                throw refused.get(label);
            }
            handedOn.add(label);
            sinks.put(label, sink);
            if (answersAtOnce) {
                depth++;
                deepest = Math.max(deepest, depth);
                answer(label);
                depth--;
            }
        }

        /** Reports the decision of an operation; does nothing the second time. */
        void decide(String label) {
            if (decided.add(label)) {
                sink(label).decided(enqueuedAs(label));
            }
        }

        void answer(String label) {
            reply(label, enqueuedAs(label));
        }

        void reply(String label, Reply reply) {
            taken(label).reply(reply);
        }

        void fail(String label, ErrorCode code) {
            taken(label).fail(new TaskMasterException(code, label));
        }

        ReplySink sink(String label) {
            return Objects.requireNonNull(sinks.get(label), label);
        }

        private ReplySink taken(String label) {
            return Objects.requireNonNull(sinks.remove(label), label);
        }
    }

    private void submit(Operation... batch) {
        submit(BatchRequest.newBuilder().addAllOperations(List.of(batch)).build());
    }

    private void submit(BatchRequest request) {
        BatchCall.submit(operations, request, answers::add, () -> cancelled, OffloadExecutor.on(Runnable::run));
    }

    private BatchReply onlyAnswer() {
        assertThat(answers).hasSize(1);
        return answers.getFirst();
    }

    private ErrorCode refusalOf(BatchRequest request) {
        ErrorCode code = catchThrowableOfType(TaskMasterException.class, () -> submit(request))
                .code();
        assertThat(operations.handedOn).isEmpty();
        assertThat(answers).isEmpty();
        return code;
    }

    private static List<String> reasons(BatchReply reply) {
        return reply.getResultsList().stream()
                .map(result -> result.getError().getReason())
                .toList();
    }

    private static Operation update(String group, String label) {
        return Operation.newBuilder()
                .setUpdate(UpdateRequest.newBuilder().setGroup(bytes(group)).setRequestId(bytes(label)))
                .build();
    }

    private static Operation lease(String group, String label) {
        return Operation.newBuilder()
                .setLease(LeaseRequest.newBuilder()
                        .setWorker(label)
                        .setQueues(QueueSelector.newBuilder().setGroup(bytes(group))))
                .build();
    }

    private static Reply enqueuedAs(String pid) {
        return new Reply.Updated(true, List.of(Reply.Status.OK), List.of(), List.of(), List.of(), List.of(Pid.of(pid)));
    }

    private static ByteString bytes(String text) {
        return ByteString.copyFromUtf8(text);
    }
}
