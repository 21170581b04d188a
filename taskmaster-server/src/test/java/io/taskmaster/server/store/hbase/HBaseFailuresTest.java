package io.taskmaster.server.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.regionserver.RegionServerAbortedException;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class HBaseFailuresTest {

    static Stream<Throwable> failuresBeforeAnyEffect() {
        return Stream.of(
                new NotServingRegionException("elsewhere"),
                new CallQueueTooBigException("too much to do"),
                new RegionServerStoppedException("ends"),
                new RegionServerAbortedException("ends badly"),
                new ConnectException("nobody there"),
                new TableNotFoundException("t"),
                new AccessDeniedException("not you"));
    }

    @ParameterizedTest
    @MethodSource("failuresBeforeAnyEffect")
    void writeThatHBaseDidNotBeginWithIsRefused(Throwable failure) {
        assertThat(HBaseFailures.ofWriting(Dialects.HBASE, "write", new CompletionException(failure))
                        .outcome())
                .isEqualTo(Outcome.REFUSED);
    }

    static Stream<Throwable> failuresOfUnknownEffect() {
        return Stream.of(
                new CallTimeoutException("late"),
                new TimeoutIOException("late"),
                new IOException("connection reset"),
                new IllegalStateException("?"));
    }

    @ParameterizedTest
    @MethodSource("failuresOfUnknownEffect")
    void writeWithoutAnAnswerIsUnknown(Throwable failure) {
        assertThat(HBaseFailures.ofWriting(Dialects.HBASE, "write", failure).outcome())
                .isEqualTo(Outcome.UNKNOWN);
        assertThat(HBaseFailures.ofWriting(Dialects.BIGTABLE, "write", failure).outcome())
                .isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void readIsRefusedWhateverHappened() {
        assertThat(HBaseFailures.ofReading(Dialects.HBASE, "read", new CallTimeoutException("late"))
                        .outcome())
                .isEqualTo(Outcome.REFUSED);
    }

    @Test
    void bigtablesAnswersAreToldByTheirNames() {
        assertThat(HBaseFailures.ofWriting(Dialects.BIGTABLE, "write", new NotFoundException("table"))
                        .outcome())
                .isEqualTo(Outcome.REFUSED);
        assertThat(HBaseFailures.ofWriting(Dialects.BIGTABLE, "write", new UnavailableException("gone"))
                        .outcome())
                .isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void whatBigtablesClientCannotSendIsRefused() {
        assertThat(HBaseFailures.ofWriting(Dialects.BIGTABLE, "write", new UnsupportedOperationException("no"))
                        .outcome())
                .isEqualTo(Outcome.REFUSED);
    }

    @Test
    void appProfileWithoutTransactionsIsToldWithWhatToDo() {
        Throwable failure =
                new FailedPreconditionException("Single-row transactions are not allowed by this app profile");

        assertThat(HBaseFailures.ofWriting(Dialects.BIGTABLE, "write", failure))
                .returns(Outcome.REFUSED, StoreException::outcome)
                .hasMessageContaining("expected: in bigtable.app-profile, an app profile with single-cluster routing");
    }

    @Test
    void whatWasToldInOurTermsStaysAsItIs() {
        StoreException known = new StoreException(Outcome.CORRUPT, "told", null);

        assertThat(HBaseFailures.ofWriting(Dialects.HBASE, "write", new CompletionException(known)))
                .isSameAs(known);
    }

    @Test
    void messageIsTheFirstLineOfWhatIsBehindAllWrappers() {
        Throwable failure =
                new ExecutionException(new RetriesExhaustedException("tried", new IOException("first\n  at a.b.C")));

        assertThat(HBaseFailures.ofReading(Dialects.HBASE, "read", failure))
                .hasMessage("HBase: read: IOException: first")
                .hasCause(failure);
    }

    @Test
    void wrapperWithoutACauseIsTheRoot() {
        IOException inside = new IOException("inside");
        assertThat(HBaseFailures.root(new UncheckedIOException(inside))).isSameAs(inside);

        List<Throwable> bare = List.of(new RetriesExhaustedException("tried"), new IllegalStateException(inside));
        assertThat(bare)
                .allSatisfy(failure -> assertThat(HBaseFailures.root(failure)).isSameAs(failure));
        assertThat(HBaseFailures.describe(new IllegalStateException())).isEqualTo("IllegalStateException");
    }

    /** A stand-in for the exceptions of Google's client, which are recognised by their simple names. */
    private static class AnswerException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        AnswerException(String message) {
            super(message);
        }
    }

    private static final class NotFoundException extends AnswerException {

        private static final long serialVersionUID = 1L;

        NotFoundException(String message) {
            super(message);
        }
    }

    private static final class UnavailableException extends AnswerException {

        private static final long serialVersionUID = 1L;

        UnavailableException(String message) {
            super(message);
        }
    }

    private static final class FailedPreconditionException extends AnswerException {

        private static final long serialVersionUID = 1L;

        FailedPreconditionException(String message) {
            super(message);
        }
    }
}
