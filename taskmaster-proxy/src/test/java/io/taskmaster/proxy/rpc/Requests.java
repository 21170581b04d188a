package io.taskmaster.proxy.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import io.taskmaster.command.Command;
import io.taskmaster.proxy.route.FakeRouter;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.proxy.rpc.call.OffloadExecutor;
import io.taskmaster.proxy.rpc.mapping.RequestMapper;
import io.taskmaster.proxy.rpc.mapping.UpdateMapper;
import io.taskmaster.proxy.rpc.scatter.BatchCall;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.UpdateRequest;
import java.util.ArrayList;
import java.util.List;

/** Mapping of any request to its command, as in the service. */
final class Requests {

    private static final RequestMapper MAPPER = new RequestMapper();

    /** A target that answers each operation as an empty node does. */
    private static final BatchCall.Target MAPPED = new BatchCall.Target() {
        @Override
        public void update(UpdateRequest request, ReplySink sink) {
            sink.reply(FakeRouter.emptyReply(map(request)));
        }

        @Override
        public void lease(LeaseRequest request, ReplySink sink) {
            sink.reply(FakeRouter.emptyReply(map(request)));
        }

        @Override
        public String callerOf(MessageLite operation) {
            return "caller";
        }
    };

    private Requests() {}

    static Command map(Message request) {
        return switch (request) {
            case UpdateRequest update -> UpdateMapper.map(update);
            case LeaseRequest lease -> MAPPER.lease(lease, "127.0.0.1:5");
            case ListRequest list -> MAPPER.list(list);
            case DescribeRequest describe -> MAPPER.describe(describe);
            case PeekRequest peek -> MAPPER.peek(peek);
            case DeleteRequest delete -> MAPPER.delete(delete);
            case ConfigureRequest configure -> MAPPER.configure(configure);
            default -> throw new IllegalArgumentException("not a request: " + request.getClass());
        };
    }

    /** Returns the reply to a batch on an empty node. */
    static BatchReply answer(BatchRequest batch) {
        List<BatchReply> answers = new ArrayList<>();
        BatchCall.submit(MAPPED, batch, answers::add, () -> false, OffloadExecutor.on(Runnable::run));
        assertThat(answers).hasSize(1);
        return answers.getFirst();
    }
}
