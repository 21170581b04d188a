package io.taskmaster.bench.load;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.protobuf.StatusProto;

/**
 * The failure of a call. Immutable.
 *
 * @param reason the status code, followed by the server's own reason if the reply has one; the set of reasons is small
 *     enough for a counter each
 */
public record Failure(Code code, String reason) {

    static Failure of(Throwable cause) {
        Code code = Status.fromThrowable(cause).getCode();
        com.google.rpc.Status details = StatusProto.fromThrowable(cause);
        if (details != null) {
            for (Any detail : details.getDetailsList()) {
                if (detail.is(ErrorInfo.class)) {
                    return new Failure(code, code + " " + reasonOf(detail));
                }
            }
        }
        return new Failure(code, code.name());
    }

    private static String reasonOf(Any detail) {
        try {
            return detail.unpack(ErrorInfo.class).getReason();
        } catch (InvalidProtocolBufferException e) {
            return "(unreadable reason)";
        }
    }
}
