package io.taskmaster.wire;

import static io.taskmaster.wire.Progress.NOTHING_SENT;
import static io.taskmaster.wire.Progress.REFUSED;
import static io.taskmaster.wire.Progress.REPLY_BEGUN;
import static io.taskmaster.wire.Progress.SENT;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.ErrorCode.Advice;
import io.taskmaster.error.PartitionOwner;
import io.taskmaster.error.TaskMasterException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ErrorMapperTest {

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void everyCodeSurvivesTheWire(ErrorCode code) {
        StatusRuntimeException sent = ErrorMapper.toGrpc(new TaskMasterException(code, "field: 1 (expected: 2)"));

        TaskMasterException received = ErrorMapper.fromGrpc(sent.getStatus(), sent.getTrailers(), SENT);

        assertThat(received.code()).isEqualTo(code);
        assertThat(received).hasMessage("field: 1 (expected: 2)");
        assertThat(received.retryAfter()).isEmpty();
        assertThat(received.getStackTrace()).isEmpty();
        assertThat(sent.getStackTrace()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID_FIELD, INVALID_ARGUMENT",
        "PID_TOO_LONG, INVALID_ARGUMENT",
        "PID_OUT_OF_RANGE, INVALID_ARGUMENT",
        "QUEUE_NAME_EMPTY, INVALID_ARGUMENT",
        "NAME_TOO_LONG, INVALID_ARGUMENT",
        "TASK_TOO_LARGE, INVALID_ARGUMENT",
        "HEADERS_TOO_LARGE, INVALID_ARGUMENT",
        "UPDATE_TOO_LARGE, INVALID_ARGUMENT",
        "REQUEST_ID_TOO_LONG, INVALID_ARGUMENT",
        "BATCH_TOO_LARGE, INVALID_ARGUMENT",
        "WAIT_IN_BATCH, INVALID_ARGUMENT",
        "LEASE_TOO_LARGE, INVALID_ARGUMENT",
        "DURATION_OUT_OF_RANGE, INVALID_ARGUMENT",
        "BAD_PATTERN, INVALID_ARGUMENT",
        "PATTERN_TOO_COSTLY, INVALID_ARGUMENT",
        "EMPTY_SELECTOR, INVALID_ARGUMENT",
        "BAD_PAGE_TOKEN, INVALID_ARGUMENT",
        "BAD_JSON, INVALID_ARGUMENT",
        "BODY_TOO_LARGE, INVALID_ARGUMENT",
        "FOREIGN_ORIGIN, INVALID_ARGUMENT",
        "UNAUTHENTICATED, UNAUTHENTICATED",
        "PERMISSION_DENIED, PERMISSION_DENIED",
        "NOT_SERVED, UNIMPLEMENTED",
        "OVERLOADED, RESOURCE_EXHAUSTED",
        "DEDUP_FULL, RESOURCE_EXHAUSTED",
        "TOO_MANY_QUEUES, RESOURCE_EXHAUSTED",
        "STORE_FULL, RESOURCE_EXHAUSTED",
        "PARTITION_OPENING, UNAVAILABLE",
        "NOT_OWNER, UNAVAILABLE",
        "SHUTTING_DOWN, UNAVAILABLE",
        "READ_FAILED, UNAVAILABLE",
        "NOT_CONNECTED, UNAVAILABLE",
        "OUTCOME_UNKNOWN, UNKNOWN",
        "REPLY_TOO_LARGE, UNKNOWN",
        "DEADLINE_EXCEEDED, DEADLINE_EXCEEDED",
        "INTERNAL, INTERNAL",
    })
    void everyCodeHasTheStatusOfTheContract(ErrorCode code, Status.Code status) {
        assertThat(ErrorMapper.statusOf(code).getCode()).isEqualTo(status);
    }

    @Test
    void callersFaultsAreInvalidArgumentsWhateverIsAdded() {
        assertThat(ErrorCode.values())
                .filteredOn(code -> code.advice() == Advice.CALLER_FAULT)
                .allSatisfy(code ->
                        assertThat(ErrorMapper.statusOf(code).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT));
    }

    @Test
    void theOwnerOfAPartitionComesAlong() throws InvalidProtocolBufferException {
        PartitionOwner owner = new PartitionOwner(17, 12, "node-b#5f3a", "10.0.0.2:7400");
        StatusRuntimeException sent =
                ErrorMapper.toGrpc(TaskMasterException.notOwner(owner, owner.toString(), Duration.ofMillis(20)));

        com.google.rpc.Status details = Objects.requireNonNull(StatusProto.fromThrowable(sent));
        assertThat(details.getDetails(0).unpack(ErrorInfo.class).getMetadataMap())
                .containsOnly(
                        Map.entry("advice", "RETRY_LATER"),
                        Map.entry("partition", "17"),
                        Map.entry("map_version", "12"),
                        Map.entry("owner", "node-b#5f3a"),
                        Map.entry("address", "10.0.0.2:7400"));
        assertThat(ErrorMapper.fromGrpc(sent.getStatus(), sent.getTrailers(), SENT))
                .satisfies(read -> {
                    assertThat(read.code()).isEqualTo(ErrorCode.NOT_OWNER);
                    assertThat(read.owner()).contains(owner);
                    assertThat(read.retryAfter()).contains(Duration.ofMillis(20));
                    assertThat(read)
                            .hasMessage(
                                    "partition 17 is owned by node-b#5f3a at 10.0.0.2:7400, by version 12 of the map");
                });
    }

    @Test
    void anOwnerThatCannotBeReadIsNotKnown() {
        ErrorInfo odd = ErrorMapper.infoOf(ErrorCode.NOT_OWNER)
                .putMetadata("partition", "seventeen")
                .putMetadata("map_version", "-3")
                .build();

        assertThat(OwnerMapper.fromInfo(odd)).isEqualTo(PartitionOwner.unknown(0));
    }

    @Test
    void anyClientCanReadReasonAdviceAndDelay() throws InvalidProtocolBufferException {
        StatusRuntimeException sent = ErrorMapper.toGrpc(
                new TaskMasterException(ErrorCode.OVERLOADED, "busy", Duration.ofMillis(1500), null));

        com.google.rpc.Status details = Objects.requireNonNull(StatusProto.fromThrowable(sent));

        assertThat(details.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED.value());
        assertThat(details.getMessage()).isEqualTo("busy");
        assertThat(details.getDetails(0).unpack(ErrorInfo.class))
                .isEqualTo(ErrorInfo.newBuilder()
                        .setReason("OVERLOADED")
                        .setDomain("taskmaster.io")
                        .putMetadata("advice", "RETRY_LATER")
                        .build());
        assertThat(TimeMapper.toDuration(
                        details.getDetails(1).unpack(RetryInfo.class).getRetryDelay()))
                .isEqualTo(Duration.ofMillis(1500));
        assertThat(ErrorMapper.fromGrpc(sent.getStatus(), sent.getTrailers(), SENT)
                        .retryAfter())
                .contains(Duration.ofMillis(1500));
    }

    @ParameterizedTest
    @CsvSource({
        "UNAVAILABLE, NOTHING_SENT, NOT_CONNECTED",
        "UNAVAILABLE, SENT, OUTCOME_UNKNOWN",
        "UNAVAILABLE, REFUSED, OUTCOME_UNKNOWN",
        "CANCELLED, NOTHING_SENT, NOT_CONNECTED",
        "CANCELLED, SENT, OUTCOME_UNKNOWN",
        "DEADLINE_EXCEEDED, NOTHING_SENT, NOT_CONNECTED",
        "DEADLINE_EXCEEDED, SENT, DEADLINE_EXCEEDED",
        "RESOURCE_EXHAUSTED, REFUSED, UPDATE_TOO_LARGE",
        "RESOURCE_EXHAUSTED, SENT, OUTCOME_UNKNOWN",
        "RESOURCE_EXHAUSTED, REPLY_BEGUN, REPLY_TOO_LARGE",
        "UNIMPLEMENTED, REFUSED, NOT_SERVED",
        "INVALID_ARGUMENT, REFUSED, INVALID_FIELD",
        "UNKNOWN, REFUSED, OUTCOME_UNKNOWN",
        "ABORTED, REFUSED, OUTCOME_UNKNOWN",
        "INTERNAL, REFUSED, INTERNAL",
        "UNAUTHENTICATED, REFUSED, UNAUTHENTICATED",
        "PERMISSION_DENIED, REFUSED, PERMISSION_DENIED",
    })
    void plainStatusIsToldByHowFarTheCallCame(Status.Code status, Progress progress, ErrorCode code) {
        assertThat(ErrorMapper.fromGrpc(status.toStatus(), null, progress).code())
                .isEqualTo(code);
    }

    @ParameterizedTest
    @EnumSource(Status.Code.class)
    void noPlainErrorAfterSendingClaimsThatNothingWasDone(Status.Code status) {
        for (Progress progress : List.of(SENT, REPLY_BEGUN, REFUSED)) {
            assertThat(ErrorMapper.fromGrpc(status.toStatus(), new Metadata(), progress)
                            .code()
                            .advice())
                    .isNotEqualTo(Advice.RETRY_LATER);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "CALLER_FAULT, INVALID_FIELD",
        "NOT_ALLOWED, PERMISSION_DENIED",
        "NOT_SERVED, NOT_SERVED",
        "RETRY_LATER, OVERLOADED",
        "OUTCOME_UNKNOWN, OUTCOME_UNKNOWN",
        "SERVER_FAULT, INTERNAL",
    })
    void reasonOfALaterVersionIsUnderstoodByItsAdvice(Advice advice, ErrorCode code) {
        StatusRuntimeException sent = detailed(Any.pack(ErrorInfo.newBuilder()
                .setReason("BRAND_NEW")
                .setDomain(ErrorMapper.DOMAIN)
                .putMetadata(ErrorMapper.ADVICE, advice.name())
                .build()));
        assertThat(ErrorMapper.fromGrpc(sent.getStatus(), sent.getTrailers(), SENT)
                        .code())
                .isEqualTo(code);
    }

    @Test
    void detailsThatAreNotOursDoNotCount() {
        List<Any> strange = List.of(
                Any.pack(ErrorInfo.newBuilder()
                        .setReason("OVERLOADED")
                        .setDomain("googleapis.com")
                        .build()),
                Any.newBuilder()
                        .setTypeUrl("type.googleapis.com/google.rpc.ErrorInfo")
                        .setValue(com.google.protobuf.ByteString.copyFromUtf8("\uFFFF broken"))
                        .build(),
                Any.pack(ErrorInfo.newBuilder()
                        .setReason("BRAND_NEW")
                        .setDomain(ErrorMapper.DOMAIN)
                        .build()));
        for (Any detail : strange) {
            StatusRuntimeException sent = detailed(detail);
            assertThat(ErrorMapper.fromGrpc(sent.getStatus(), sent.getTrailers(), SENT)
                            .code())
                    .isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        }
    }

    @Test
    void garbageInTheTrailersDoesNotCount() {
        Metadata trailers = new Metadata();
        trailers.put(Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER), new byte[] {-1, -1});
        assertThat(ErrorMapper.fromGrpc(Status.UNAVAILABLE, trailers, NOTHING_SENT)
                        .code())
                .isEqualTo(ErrorCode.NOT_CONNECTED);
    }

    @Test
    void plainErrorsSayWhatGrpcKnew() {
        Status refused = Status.UNAVAILABLE
                .withDescription("io exception")
                .withCause(new IOException("Connection refused: localhost:7400"));
        assertThat(ErrorMapper.fromGrpc(refused, null, NOTHING_SENT))
                .hasMessage("io exception: Connection refused: localhost:7400")
                .hasCauseInstanceOf(IOException.class);
        assertThat(ErrorMapper.fromGrpc(Status.UNAVAILABLE, null, NOTHING_SENT)).hasMessage("UNAVAILABLE");
    }

    @ParameterizedTest
    @CsvSource({
        "3, PID_TOO_LONG, PID_TOO_LONG",
        "3, BRAND_NEW, INVALID_FIELD",
        "8, BRAND_NEW, OVERLOADED",
        "14, BRAND_NEW, OVERLOADED",
        "2, BRAND_NEW, OUTCOME_UNKNOWN",
        "12, BRAND_NEW, NOT_SERVED",
        "13, BRAND_NEW, INTERNAL"
    })
    void errorOfABatchIsKnownByItsReasonOrElseByItsCode(int code, String reason, ErrorCode expected) {
        TaskMasterException error = ErrorMapper.fromResult(io.taskmaster.v1.Error.newBuilder()
                .setCode(code)
                .setReason(reason)
                .setMessage("so it is")
                .build());
        assertThat(error.code()).isEqualTo(expected);
        assertThat(error).hasMessage("so it is");
    }

    @Test
    void longMessageIsCutToFitTheTrailers() {
        StatusRuntimeException sent =
                ErrorMapper.toGrpc(new TaskMasterException(ErrorCode.INVALID_FIELD, "x".repeat(100_000)));
        assertThat(sent.getStatus().getDescription()).hasSizeLessThan(1100);
    }

    private static StatusRuntimeException detailed(Any detail) {
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(Status.Code.UNAVAILABLE.value())
                .addDetails(detail)
                .build());
    }
}
