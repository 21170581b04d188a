package io.taskmaster.client;

import io.grpc.MethodDescriptor;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.TaskMasterGrpc;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.util.List;
import java.util.function.Function;

/**
 * A method of the contract as the client calls it. Immutable.
 *
 * @param reply from the reply of the contract to ours
 * @param harmless whether doing it twice does no more than doing it once, so that an unknown outcome may be retried
 * @param <Q> the request on the wire
 * @param <P> the reply on the wire
 * @param <R> the reply in our words
 */
record Operation<Q, P, R>(MethodDescriptor<Q, P> method, Function<P, R> reply, boolean harmless) {

    static final Operation<UpdateRequest, UpdateReply, UpdateResult> UPDATE =
            new Operation<>(TaskMasterGrpc.getUpdateTasksMethod(), ReplyMapper::update, false);

    // Repeated, it would leave the tasks of the first reply leased to nobody until they expire.
    static final Operation<io.taskmaster.v1.LeaseRequest, LeaseReply, List<LeasedTask>> LEASE =
            new Operation<>(TaskMasterGrpc.getLeaseTasksMethod(), ReplyMapper::lease, false);

    static final Operation<io.taskmaster.v1.ListRequest, ListReply, ListResult> LIST =
            new Operation<>(TaskMasterGrpc.getListQueuesMethod(), ReplyMapper::list, true);

    static final Operation<io.taskmaster.v1.DescribeRequest, DescribeReply, DescribeResult> DESCRIBE =
            new Operation<>(TaskMasterGrpc.getDescribeQueuesMethod(), ReplyMapper::describe, true);

    static final Operation<io.taskmaster.v1.PeekRequest, PeekReply, PeekResult> PEEK =
            new Operation<>(TaskMasterGrpc.getPeekTasksMethod(), ReplyMapper::peek, true);

    // Repeated, it would delete what was enqueued in between.
    static final Operation<DeleteRequest, DeleteReply, List<QueueSummary>> DELETE =
            new Operation<>(TaskMasterGrpc.getDeleteQueuesMethod(), ReplyMapper::delete, false);
}
