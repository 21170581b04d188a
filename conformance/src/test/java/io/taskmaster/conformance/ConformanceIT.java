package io.taskmaster.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The contract as clients in other languages see it, over the network, on a real server process. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ConformanceIT {

    /** How many cases the issue asks for, and how many a second client should have at least. */
    private static final int PYTHON_CASES = 80;

    private static final int GO_CASES = 25;

    private final ServerUnderTest server;

    ConformanceIT(@TempDir Path folder) {
        server = new ServerUnderTest(folder);
    }

    @BeforeAll
    void start() {
        server.start();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void clientsInPythonFindTheContractServed() {
        Path report = SuiteRun.TARGET.resolve("python-report.xml").toAbsolutePath();

        SuiteRun run = SuiteRun.of("python", server, "--junit-xml=" + report);

        run.requireSuccess();
        JUnitReport results = JUnitReport.read(report);
        assertThat(results.cases()).as("cases").isGreaterThanOrEqualTo(PYTHON_CASES);
        assertThat(results.notPassed()).as("failed, broken or skipped").isZero();
    }

    @Test
    void clientsInGoFindTheContractServed() {
        SuiteRun run = SuiteRun.of("go", server, "-v");

        run.requireSuccess();
        assertThat(run.lines("--- PASS: ")).as("cases").hasSizeGreaterThanOrEqualTo(GO_CASES);
        assertThat(run.lines("--- SKIP: ")).as("skipped").isEmpty();
    }
}
