package io.taskmaster.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import org.junit.jupiter.api.Test;

class FailureTest {

    @Test
    void theServersReasonIsCounted() {
        com.google.rpc.Status details = com.google.rpc.Status.newBuilder()
                .setCode(Status.Code.RESOURCE_EXHAUSTED.value())
                .addDetails(
                        Any.pack(ErrorInfo.newBuilder().setReason("OVERLOADED").build()))
                .build();
        Failure failure = Failure.of(StatusProto.toStatusRuntimeException(details));
        assertThat(failure).isEqualTo(new Failure(Status.Code.RESOURCE_EXHAUSTED, "RESOURCE_EXHAUSTED OVERLOADED"));
    }

    @Test
    void withoutOneItIsTheCode() {
        Failure failure = Failure.of(Status.UNAVAILABLE.withDescription("io").asRuntimeException());
        assertThat(failure).isEqualTo(new Failure(Status.Code.UNAVAILABLE, "UNAVAILABLE"));
    }
}
