package io.taskmaster.testkit.oracle.model;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.history.RecordedCall;
import io.taskmaster.testkit.history.RecordedOutcome;
import io.taskmaster.testkit.history.RecordedOutcome.Failed;
import io.taskmaster.testkit.history.RecordedOutcome.Replied;
import io.taskmaster.testkit.history.RecordedOutcome.Unknown;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Configuring;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Deleting;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Describing;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Leasing;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Listing;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Peeking;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Updating;
import io.taskmaster.testkit.oracle.verdict.Findings;
import io.taskmaster.testkit.oracle.verdict.OracleSettings;
import io.taskmaster.testkit.oracle.verdict.Promise;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A reader that turns calls into operations: it splits batches, drops calls without an effect, and combines the calls
 * with one request id.
 *
 * <p>A reply that does not fit its request is a finding; the call is then judged as one of unknown outcome.
 * Single-threaded.
 */
public final class OperationReader {

    /** The bound on the elements of an update for one task: the search recurses that deep. */
    private static final int MAX_ELEMENTS_OF_A_TASK = 200;

    private final Findings findings;
    private final RequestIdPass requestIdPass;
    private final Operations operations = new Operations();

    private OperationReader(OracleSettings settings, Findings findings) {
        this.findings = findings;
        this.requestIdPass = new RequestIdPass(settings, findings);
    }

    public static Operations read(History history, OracleSettings settings, Findings findings) {
        OperationReader reader = new OperationReader(settings, findings);
        for (RecordedCall call : history.calls()) {
            reader.read(call);
        }
        reader.requestIdPass.addTo(reader.operations);
        return reader.operations;
    }

    private void read(RecordedCall call) {
        switch (call.recordedOutcome()) {
            case Failed failed -> {}
            case Unknown unknown -> {
                operations.unknownCalls++;
                read(call.request(), null, new Span(call.number(), call.invokedMicros(), Span.FAR));
            }
            case Replied replied -> {
                operations.endMicros = Math.max(operations.endMicros, call.completedMicros());
                read(
                        call.request(),
                        replied.reply(),
                        new Span(call.number(), call.invokedMicros(), call.completedMicros()));
            }
        }
    }

    private void read(Message request, @Nullable Message reply, Span span) {
        // An update with a request id may be answered with the first reply to that id, whatever this request contains.
        // So RequestIdPass checks its shape.
        boolean named = request instanceof UpdateRequest update
                && !update.getRequestId().isEmpty();
        if (reply != null && !(named ? reply instanceof UpdateReply : ReplyShape.fits(request, reply))) {
            findings.add(Promise.ANSWERS_FIT, span.call(), "the reply does not match the request");
            read(request, null, new Span(span.call(), span.from(), Span.FAR));
            return;
        }
        switch (request) {
            case UpdateRequest update -> update(new Updating(span, update, (UpdateReply) reply, true));
            case LeaseRequest lease -> operations.leases.add(new Leasing(span, lease, (LeaseReply) reply));
            case BatchRequest batch -> batch(span, batch, (BatchReply) reply);
            case DeleteRequest delete -> operations.deletes.add(new Deleting(span, delete, (DeleteReply) reply));
            case ConfigureRequest configure -> operations.configurations.add(new Configuring(span, configure));
            case PeekRequest peek
            when reply != null -> operations.peeks.add(new Peeking(span, peek, (PeekReply) reply));
            case ListRequest list
            when reply != null -> operations.lists.add(new Listing(span, list, (ListReply) reply));
            case DescribeRequest describe
            when reply != null -> operations.descriptions.add(new Describing(span, describe, (DescribeReply) reply));
            default -> {}
        }
    }

    private void update(Updating update) {
        if (isTooLong(update.request())) {
            RequestIdPass.queues(update.request()).forEach(operations.unclearQueues::add);
        } else if (update.request().getRequestId().isEmpty()) {
            operations.updates.add(update);
        } else {
            requestIdPass.add(update);
        }
    }

    /** Returns whether the update has too many elements for one task to be followed. */
    private static boolean isTooLong(UpdateRequest request) {
        Map<TaskKey, Integer> counts = new HashMap<>();
        Stream.of(
                        request.getEnqueueList().stream()
                                .filter(Enqueue::hasPid)
                                .map(one -> key(request, one.getQueue(), one.getPid())),
                        request.getDequeueList().stream().map(one -> key(request, one.getQueue(), one.getPid())),
                        request.getRenewList().stream().map(one -> key(request, one.getQueue(), one.getPid())),
                        request.getReleaseList().stream().map(one -> key(request, one.getQueue(), one.getPid())))
                .flatMap(keys -> keys)
                .forEach(key -> counts.merge(key, 1, Integer::sum));
        return counts.values().stream().anyMatch(count -> count > MAX_ELEMENTS_OF_A_TASK);
    }

    private static TaskKey key(UpdateRequest request, ByteString queue, ByteString pid) {
        return new TaskKey(new QueueId(request.getGroup(), queue), pid);
    }

    private void batch(Span span, BatchRequest batch, @Nullable BatchReply reply) {
        for (int i = 0; i < batch.getOperationsCount(); i++) {
            BatchRequest.Operation operation = batch.getOperations(i);
            Message request = operation.hasUpdate() ? operation.getUpdate() : operation.getLease();
            BatchReply.Result result = reply == null ? BatchReply.Result.getDefaultInstance() : reply.getResults(i);
            switch (result.getKindCase()) {
                case UPDATE -> read(request, result.getUpdate(), span);
                case LEASE -> read(request, result.getLease(), span);
                case ERROR -> {
                    if (RecordedOutcome.ofError(result.getError()) instanceof Unknown) {
                        read(request, null, new Span(span.call(), span.from(), Span.FAR));
                    }
                }
                case KIND_NOT_SET -> read(request, null, new Span(span.call(), span.from(), Span.FAR));
            }
        }
    }
}
