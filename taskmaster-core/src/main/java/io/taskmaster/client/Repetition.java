package io.taskmaster.client;

import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.ErrorCode.Advice;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.TaskMasterGrpc;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules of repetition of updates and batches: which of them can be repeated, and what the reply to a repetition
 * says about an earlier attempt with an unknown outcome. Stateless.
 *
 * <p>With a request id the server settles the question: the reply is that of the attempt that was applied. Without one,
 * an update under leases is applied at most once, but the reply may not tell which attempt it was. If applied, it ended
 * all of its leases. So if the repetition is refused and all its leases are gone, either the first attempt was applied,
 * or the leases were lost before it arrived: the outcome is unknown. If one of the leases still holds, nothing was
 * applied before, and the refusal stands. If the repetition succeeds, it was applied.
 */
final class Repetition {

    private Repetition() {}

    static Operation<UpdateRequest, UpdateReply, UpdateResult> of(Update update) {
        return new Operation<>(
                TaskMasterGrpc.getUpdateTasksMethod(),
                ReplyMapper::update,
                repeatability(update),
                result -> settle(update, result));
    }

    /** Returns the operation of a batch, which can be repeated if each part of it can. */
    static Operation<BatchRequest, BatchReply, List<BatchResult>> of(List<BatchOperation> batch) {
        return new Operation<>(
                TaskMasterGrpc.getBatchMethod(),
                ReplyMapper::batch,
                batch.stream().map(Repetition::repeatability).reduce(Repeatability.IDEMPOTENT, Repeatability::and),
                results -> settle(batch, results));
    }

    private static Repeatability repeatability(BatchOperation operation) {
        return switch (operation) {
            case Update update when update.requestId().isPresent() -> Repeatability.BY_REQUEST_ID;
            case Update update when update.isIdempotent() -> Repeatability.IDEMPOTENT;
            case Update update -> Repeatability.NEVER;
            case LeaseRequest lease -> Repeatability.NEVER;
        };
    }

    private static UpdateResult settle(Update update, UpdateResult result) {
        if (result.success() || update.requestId().isPresent() || !allLeasesGone(update, result)) {
            return result;
        }
        throw unknown(
                "its leases are gone: either an earlier attempt was applied, or the leases were lost before it", null);
    }

    private static boolean allLeasesGone(Update update, UpdateResult result) {
        List<Status> guards = Stream.concat(
                        IntStream.range(0, update.dequeues().size())
                                .filter(i -> update.dequeues().get(i).leaseId() != Update.UNCONDITIONAL)
                                .mapToObj(result.dequeues()::get),
                        IntStream.range(0, update.releases().size())
                                .filter(i -> update.releases().get(i).leaseId() != Update.UNCONDITIONAL)
                                .mapToObj(result.releases()::get))
                .toList();
        return !guards.isEmpty()
                && guards.stream().allMatch(status -> status == Status.NOT_FOUND || status == Status.LEASE_LOST);
    }

    private static List<BatchResult> settle(List<BatchOperation> batch, List<BatchResult> results) {
        List<BatchResult> settled = new ArrayList<>(results.size());
        for (int i = 0; i < results.size(); i++) {
            settled.add(settle(batch.get(i), results.get(i)));
        }
        return settled;
    }

    private static BatchResult settle(BatchOperation operation, BatchResult result) {
        try {
            return switch (result) {
                case BatchResult.Updated updated
                when operation instanceof Update update -> new BatchResult.Updated(settle(update, updated.result()));
                case BatchResult.Failed failed
                when failed.error().code().advice() != Advice.OUTCOME_UNKNOWN ->
                    new BatchResult.Failed(
                            unknown("the last attempt failed: " + failed.error().getMessage(), failed.error()));
                case BatchResult.Updated other -> other;
                case BatchResult.Failed other -> other;
                case BatchResult.Leased other -> other;
            };
        } catch (TaskMasterException unsettled) {
            return new BatchResult.Failed(unsettled);
        }
    }

    /** Returns the error of a call whose repetition does not settle its outcome either. */
    static TaskMasterException unknown(String reason, @Nullable TaskMasterException cause) {
        return TaskMasterException.withoutStackTrace(
                ErrorCode.OUTCOME_UNKNOWN, "sent more than once, may have been applied: " + reason, null, cause);
    }
}
