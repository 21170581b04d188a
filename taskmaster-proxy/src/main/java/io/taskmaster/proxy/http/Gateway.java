package io.taskmaster.proxy.http;

import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.access.Caller;
import io.taskmaster.proxy.config.Limits;
import io.taskmaster.wire.ErrorMapper;
import io.taskmaster.wire.Progress;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Client of the service of the contract in the same process. Calls pass all checks, limits and meters of the service,
 * as any client's do. Thread-safe; blocks.
 */
final class Gateway {

    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

    private final Function<Caller, Channel> service;

    /**
     * Creates the gateway.
     *
     * @param service returns a channel to the service for calls on behalf of a caller
     */
    Gateway(Function<Caller, Channel> service) {
        this.service = service;
    }

    /**
     * Returns the reply, or throws the refusal of the service.
     *
     * @param isDisconnected returns whether the client disconnected, which ends the call
     */
    <Q extends Message, P extends Message> P call(
            MethodDescriptor<Q, P> method, Q request, Caller caller, BooleanSupplier isDisconnected) {
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(Limits.HTTP_CALL_MILLIS, TimeUnit.MILLISECONDS);
        try {
            return DisconnectWatcher.await(
                    ClientCalls.futureUnaryCall(service.apply(caller).newCall(method, options), request),
                    isDisconnected);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StatusRuntimeException refusal) {
                Status status = refusal.getStatus();
                throw ErrorMapper.fromGrpc(status, refusal.getTrailers(), Progress.SENT);
            }
            LOG.error("{} failed", method.getFullMethodName(), e);
            throw new TaskMasterException(ErrorCode.INTERNAL, "internal error: see the log of the server");
        }
    }
}
