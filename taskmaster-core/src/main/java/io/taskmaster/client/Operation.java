package io.taskmaster.client;

import io.grpc.MethodDescriptor;
import io.taskmaster.v1.ClearingReply;
import io.taskmaster.v1.ClearingRequest;
import io.taskmaster.v1.ConfigureReply;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.FlowReply;
import io.taskmaster.v1.FlowRequest;
import io.taskmaster.v1.InsightGrpc;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.RankReply;
import io.taskmaster.v1.TaskMasterGrpc;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A method of the contract as the client calls it. Immutable.
 *
 * @param method the method
 * @param reply maps the reply of the contract
 * @param repeatability the safety of another attempt
 * @param settled maps the reply to a repetition that was made because the outcome of an earlier attempt is unknown.
 *     Throws a {@link io.taskmaster.error.TaskMasterException} if the reply does not settle that either
 * @param <Q> the request on the wire
 * @param <P> the reply on the wire
 * @param <R> the reply as a type of the client
 */
record Operation<Q, P, R>(
        MethodDescriptor<Q, P> method, Function<P, R> reply, Repeatability repeatability, UnaryOperator<R> settled) {

    // A repetition would leave the tasks of the first reply leased without a holder until they expire.
    static final Operation<io.taskmaster.v1.LeaseRequest, LeaseReply, List<LeasedTask>> LEASE =
            of(TaskMasterGrpc.getLeaseTasksMethod(), ReplyMapper::lease, Repeatability.NEVER);

    static final Operation<io.taskmaster.v1.ListRequest, ListReply, ListResult> LIST =
            of(TaskMasterGrpc.getListQueuesMethod(), ReplyMapper::list, Repeatability.READ);

    static final Operation<io.taskmaster.v1.DescribeRequest, DescribeReply, DescribeResult> DESCRIBE =
            of(TaskMasterGrpc.getDescribeQueuesMethod(), ReplyMapper::describe, Repeatability.READ);

    static final Operation<io.taskmaster.v1.PeekRequest, PeekReply, PeekResult> PEEK =
            of(TaskMasterGrpc.getPeekTasksMethod(), ReplyMapper::peek, Repeatability.READ);

    // A repetition would delete tasks that were enqueued in between.
    static final Operation<DeleteRequest, DeleteReply, List<QueueSummary>> DELETE =
            of(TaskMasterGrpc.getDeleteQueuesMethod(), ReplyMapper::delete, Repeatability.NEVER);

    static final Operation<FlowRequest, FlowReply, Flow> FLOW =
            of(InsightGrpc.getShowFlowMethod(), ReplyMapper::flow, Repeatability.READ);

    static final Operation<io.taskmaster.v1.RankRequest, RankReply, RankResult> RANK =
            of(InsightGrpc.getRankQueuesMethod(), ReplyMapper::rank, Repeatability.READ);

    static final Operation<ClearingRequest, ClearingReply, Integer> CLEARING =
            of(InsightGrpc.getShowClearingMethod(), ClearingReply::getUncleared, Repeatability.READ);

    /**
     * Returns the operation that sets options. The reply of the contract is empty; that of the client is the new
     * options. A repetition may overwrite a concurrent change of another caller; the two were concurrent, so either may
     * be the last.
     */
    static Operation<ConfigureRequest, ConfigureReply, QueueOptions> configure(QueueOptions options) {
        return of(TaskMasterGrpc.getConfigureQueueMethod(), reply -> options, Repeatability.IDEMPOTENT);
    }

    private static <Q, P, R> Operation<Q, P, R> of(
            MethodDescriptor<Q, P> method, Function<P, R> reply, Repeatability repeatability) {
        return new Operation<>(method, reply, repeatability, UnaryOperator.identity());
    }
}
