package io.taskmaster.testkit;

import com.google.protobuf.Message;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.UpdateRequest;
import java.util.function.Predicate;

/** A kind of call of the contract, as a predicate for planning faults. */
public enum CallKind implements Predicate<Message> {
    ANY(Message.class),
    UPDATE(UpdateRequest.class),
    LEASE(LeaseRequest.class),
    /** A batch as a whole; its operations are not examined. */
    BATCH(BatchRequest.class),
    LIST(ListRequest.class),
    DESCRIBE(DescribeRequest.class),
    PEEK(PeekRequest.class),
    DELETE(DeleteRequest.class),
    CONFIGURE(ConfigureRequest.class);

    private final Class<? extends Message> request;

    CallKind(Class<? extends Message> request) {
        this.request = request;
    }

    /** Returns whether a request is of this kind. */
    @Override
    public boolean test(Message message) {
        return request.isInstance(message);
    }
}
