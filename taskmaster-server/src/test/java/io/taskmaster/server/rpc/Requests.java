package io.taskmaster.server.rpc;

import com.google.protobuf.Message;
import io.taskmaster.server.engine.Command;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.UpdateRequest;

/** Any request to its command, as the service does it. */
final class Requests {

    private static final RequestMapper MAPPER = new RequestMapper();

    private Requests() {}

    static Command map(Message request) {
        return switch (request) {
            case UpdateRequest update -> UpdateMapper.map(update);
            case LeaseRequest lease -> MAPPER.lease(lease, "127.0.0.1:5");
            case ListRequest list -> MAPPER.list(list);
            case DescribeRequest describe -> MAPPER.describe(describe);
            case PeekRequest peek -> MAPPER.peek(peek);
            case DeleteRequest delete -> MAPPER.delete(delete);
            default -> throw new IllegalArgumentException("not a request: " + request.getClass());
        };
    }
}
