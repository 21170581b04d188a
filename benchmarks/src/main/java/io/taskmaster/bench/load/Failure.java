package io.taskmaster.bench.load;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.protobuf.StatusProto;

/**
 * Why a call failed. Immutable.
 *
 * @param reason the code, and the server's own reason where it gave one: few enough to be counted one by one
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
