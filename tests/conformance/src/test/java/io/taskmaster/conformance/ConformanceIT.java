package io.taskmaster.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict;
import io.taskmaster.tests.Profile;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.UpdateRequest;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of the contract by clients in other languages, over the network, on a real server process; and, with their
 * recorded histories, by the oracle. {@link Backend#PROPERTY} selects the store of the server.
 */
final class ConformanceIT {

    /** The least number of cases in Python; {@link #GO_CASES} is that of a second client. */
    private static final int PYTHON_CASES = 80;

    private static final int GO_CASES = 25;

    /** The least number of recorded calls by kind; a run has about twice as many. */
    private static final Map<Class<? extends Message>, Long> PYTHON_CALLS = Map.of(
            UpdateRequest.class, 1_000L,
            LeaseRequest.class, 500L,
            BatchRequest.class, 15L,
            ListRequest.class, 100L,
            DescribeRequest.class, 150L,
            PeekRequest.class, 200L,
            DeleteRequest.class, 20L,
            ConfigureRequest.class, 20L);

    /** The number of changed histories per kind of change. */
    private static final int TAMPERINGS = Profile.isSlow() ? 5 : 2;

    /**
     * The server of one suite, with memory for messages at the limits of the contract. No other client may call it,
     * since a history has to be complete.
     */
    private final ServerProcess server;

    private final Backend backend;

    ConformanceIT(@TempDir Path folder) throws InterruptedException {
        backend = Backend.start(folder.resolve("store"));
        server = ServerProcess.start(
                backend.under(ServerPlan.in(folder).withFlags(List.of("-Xmx1g", "-XX:+UseSerialGC"))));
    }

    @AfterEach
    void stop() {
        server.close();
        backend.close();
    }

    @Test
    void clientsInPythonFindTheContractServedAndTheOracleFindsItKept() {
        Path report = SuiteRun.TARGET.resolve("python-report.xml").toAbsolutePath();

        RecordedHistory.clear(SuiteRun.HISTORIES);

        SuiteRun run = SuiteRun.of("python", backend, server, "--junit-xml=" + report);

        run.requireSuccess();
        JUnitReport results = JUnitReport.read(report);
        assertThat(results.cases()).as("cases").isGreaterThanOrEqualTo(PYTHON_CASES);
        assertThat(results.notPassed()).as("failed, broken or skipped").isEqualTo(backend.casesWithoutDisk());
        List<RecordedHistory> histories = RecordedHistory.readAll(SuiteRun.HISTORIES);
        Map<Class<? extends Message>, Long> calls = RecordedHistory.calls(histories);
        assertThat(PYTHON_CALLS)
                .allSatisfy((request, minCalls) -> assertThat(calls.getOrDefault(request, 0L))
                        .as("recorded calls with a %s", request.getSimpleName())
                        .isGreaterThanOrEqualTo(minCalls));
        assertThat(histories)
                .allSatisfy(recorded ->
                        assertThat(recorded.verdict()).as(recorded.name()).matches(OracleVerdict::isClean, "clean"));
        theOracleNoticesWhenAnAnswerIsChanged(histories);
    }

    private static void theOracleNoticesWhenAnAnswerIsChanged(List<RecordedHistory> histories) {
        RecordedHistory longestHistory = histories.stream()
                .max(Comparator.comparingInt(recorded -> recorded.history().size()))
                .orElseThrow();
        for (FalseReply tampering : FalseReply.values()) {
            List<History> tampered =
                    tampering.of(longestHistory.history()).limit(TAMPERINGS).toList();
            assertThat(tampered).as("%s", tampering).hasSize(TAMPERINGS);
            assertThat(tampered)
                    .as("%s", tampering)
                    .allSatisfy(history -> assertThat(longestHistory.verdictOf(history))
                            .matches(verdict -> !verdict.isClean(), "not clean"));
        }
    }

    @Test
    void clientsInGoFindTheContractServed() {
        SuiteRun run = SuiteRun.of("go", backend, server, "-v");

        run.requireSuccess();
        assertThat(run.lines("--- PASS: ")).as("cases").hasSizeGreaterThanOrEqualTo(GO_CASES);
        assertThat(run.lines("--- SKIP: ")).as("skipped").isEmpty();
    }
}
