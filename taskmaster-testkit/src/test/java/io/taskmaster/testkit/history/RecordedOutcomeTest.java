package io.taskmaster.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.wire.ErrorMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class RecordedOutcomeTest {

    @ParameterizedTest
    @EnumSource
    void whatTheServerSaysWasNotDoneFailed(ErrorCode code) {
        StatusRuntimeException error = ErrorMapper.toGrpc(new TaskMasterException(code, "why"));

        RecordedOutcome recordedOutcome = RecordedOutcome.ofError(error.getStatus(), error.getTrailers());

        String status = error.getStatus().getCode().name();
        assertThat(recordedOutcome)
                .isEqualTo(
                        switch (code.advice()) {
                            case CALLER_FAULT, NOT_ALLOWED, NOT_SERVED, RETRY_LATER ->
                                new RecordedOutcome.Failed(status, code.name());
                            case OUTCOME_UNKNOWN, SERVER_FAULT -> new RecordedOutcome.Unknown(status, code.name());
                        });
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "CANCELLED", "DEADLINE_EXCEEDED", "UNKNOWN", "INTERNAL", "RESOURCE_EXHAUSTED"})
    void whatAPlainLayerSaysIsUnknown(Status.Code code) {
        assertThat(RecordedOutcome.ofError(code.toStatus(), null))
                .isEqualTo(new RecordedOutcome.Unknown(code.name(), ""));
    }
}
