package io.taskmaster.testkit.history;

import com.google.protobuf.Message;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.ConfigureReply;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A method of the service, by the name that the contract and history files give it. */
enum Method {
    UPDATE("UpdateTasks", UpdateRequest.getDefaultInstance(), UpdateReply.getDefaultInstance()),
    LEASE("LeaseTasks", LeaseRequest.getDefaultInstance(), LeaseReply.getDefaultInstance()),
    BATCH("Batch", BatchRequest.getDefaultInstance(), BatchReply.getDefaultInstance()),
    LIST("ListQueues", ListRequest.getDefaultInstance(), ListReply.getDefaultInstance()),
    DESCRIBE("DescribeQueues", DescribeRequest.getDefaultInstance(), DescribeReply.getDefaultInstance()),
    PEEK("PeekTasks", PeekRequest.getDefaultInstance(), PeekReply.getDefaultInstance()),
    DELETE("DeleteQueues", DeleteRequest.getDefaultInstance(), DeleteReply.getDefaultInstance()),
    CONFIGURE("ConfigureQueue", ConfigureRequest.getDefaultInstance(), ConfigureReply.getDefaultInstance());

    private static final Map<String, Method> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Method::rpcName, Function.identity()));

    private static final Map<Class<?>, Method> BY_REQUEST = Arrays.stream(values())
            .collect(Collectors.toUnmodifiableMap(method -> method.request.getClass(), Function.identity()));

    private final String rpcName;
    private final transient Message request;
    private final transient Message reply;

    Method(String rpcName, Message request, Message reply) {
        this.rpcName = rpcName;
        this.request = request;
        this.reply = reply;
    }

    static Method named(String rpcName) {
        Method method = BY_NAME.get(rpcName);
        if (method == null) {
            throw new IllegalArgumentException("method: %s (expected: one of %s)".formatted(rpcName, BY_NAME.keySet()));
        }
        return method;
    }

    static Method of(Message request) {
        Method method = BY_REQUEST.get(request.getClass());
        if (method == null) {
            throw new IllegalArgumentException("request: %s (expected: a request of the contract)"
                    .formatted(request.getDescriptorForType().getFullName()));
        }
        return method;
    }

    String rpcName() {
        return rpcName;
    }

    Message.Builder newRequest() {
        return request.newBuilderForType();
    }

    Message.Builder newReply() {
        return reply.newBuilderForType();
    }
}
