package io.taskmaster.server.overload;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.taskmaster.v1.UpdateReply;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The answer of the server to one call, as any stub would read it. */
sealed interface Answer {

    /** A success: the task is durable. */
    record Admitted() implements Answer {}

    /**
     * A refusal in the form that the contract prescribes for overload: RESOURCE_EXHAUSTED, OVERLOADED, and a retry
     * delay.
     */
    record Refused(long retryNanos) implements Answer {}

    /** Any other answer. */
    record Failed(String what) implements Answer {}

    Admitted ADMITTED = new Admitted();

    /** The trailer with the details of a gRPC status. */
    Metadata.Key<com.google.rpc.Status> DETAILS = Metadata.Key.of(
            "grpc-status-details-bin", ProtoUtils.metadataMarshaller(com.google.rpc.Status.getDefaultInstance()));

    static Answer of(Status status, Metadata trailers, @Nullable UpdateReply reply) {
        if (status.isOk()) {
            return reply != null && reply.getSuccess() ? ADMITTED : new Failed("not applied: " + reply);
        }
        com.google.rpc.Status details = trailers.get(DETAILS);
        if (status.getCode() != Status.Code.RESOURCE_EXHAUSTED || details == null) {
            return new Failed(status.toString());
        }
        try {
            String reason = "";
            Optional<Long> retryNanos = Optional.empty();
            for (Any detail : details.getDetailsList()) {
                if (detail.is(ErrorInfo.class)) {
                    reason = detail.unpack(ErrorInfo.class).getReason();
                } else if (detail.is(RetryInfo.class)) {
                    var delay = detail.unpack(RetryInfo.class).getRetryDelay();
                    retryNanos = Optional.of(delay.getSeconds() * 1_000_000_000 + delay.getNanos());
                }
            }
            return reason.equals("OVERLOADED")
                            && retryNanos.filter(nanos -> nanos > 0).isPresent()
                    ? new Refused(retryNanos.get())
                    : new Failed(status + ": " + details);
        } catch (InvalidProtocolBufferException unreadable) {
            return new Failed(status + ": " + unreadable);
        }
    }
}
