package io.taskmaster.proxy.json;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.taskmaster.v1.InsightGrpc;
import io.taskmaster.v1.TaskMasterGrpc;
import java.util.List;
import java.util.Objects;

/**
 * A method of the service and its path. Immutable.
 *
 * @param name the last part of the path
 * @param typed whether the request may also be a GET with parameters, which a user can type as a URL: it changes
 *     nothing
 * @param summary one line for people
 */
public record ApiOperation<Q extends Message, P extends Message>(
        String name, boolean typed, String summary, MethodDescriptor<Q, P> method) {

    /** The path before the name. */
    public static final String PREFIX = "/v1/";

    /** All operations: the methods of the contract, in its order, and those of insight. */
    public static final List<ApiOperation<?, ?>> ALL = List.of(
            new ApiOperation<>(
                    "update",
                    false,
                    "Enqueues, dequeues, renews and releases tasks of one group, all or nothing",
                    TaskMasterGrpc.getUpdateTasksMethod()),
            new ApiOperation<>(
                    "lease", false, "Leases available tasks, smallest PID first", TaskMasterGrpc.getLeaseTasksMethod()),
            new ApiOperation<>(
                    "batch",
                    false,
                    "Several independent updates and leases in one call",
                    TaskMasterGrpc.getBatchMethod()),
            new ApiOperation<>("list", true, "Names and sizes of queues", TaskMasterGrpc.getListQueuesMethod()),
            new ApiOperation<>(
                    "describe",
                    true,
                    "Sizes, rates, ages and leases of queues",
                    TaskMasterGrpc.getDescribeQueuesMethod()),
            new ApiOperation<>(
                    "peek", true, "Tasks of a queue, without leasing them", TaskMasterGrpc.getPeekTasksMethod()),
            new ApiOperation<>(
                    "delete", false, "Deletes queues with all their tasks", TaskMasterGrpc.getDeleteQueuesMethod()),
            new ApiOperation<>(
                    "configure",
                    false,
                    "Sets the lasting options of a queue",
                    TaskMasterGrpc.getConfigureQueueMethod()),
            new ApiOperation<>(
                    "flow",
                    true,
                    "Families of similarly named queues, and the hand-offs between them",
                    InsightGrpc.getShowFlowMethod()),
            new ApiOperation<>("rank", true, "Queues in any order, by page", InsightGrpc.getRankQueuesMethod()),
            new ApiOperation<>(
                    "history", true, "Sizes and rates of the last hour or day", InsightGrpc.getShowHistoryMethod()),
            new ApiOperation<>(
                    "clearing",
                    true,
                    "Progress of removing the tasks of deleted queues from the store",
                    InsightGrpc.getShowClearingMethod()));

    public String path() {
        return PREFIX + name;
    }

    /** An empty request of this method. */
    public Q request() {
        return Objects.requireNonNull(((PrototypeMarshaller<Q>) method.getRequestMarshaller()).getMessagePrototype());
    }

    /** An empty reply of this method. */
    public P reply() {
        return Objects.requireNonNull(((PrototypeMarshaller<P>) method.getResponseMarshaller()).getMessagePrototype());
    }
}
