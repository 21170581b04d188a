package io.taskmaster.testkit.junit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Tests of classes that need Docker, which JUnit runs inside of these tests. */
final class DockerConditionTest {

    @Test
    void whereThereIsADaemonTestsAreRun() {
        assertThat(run(WithDocker.class).getTestsSucceededCount()).isEqualTo(1);
    }

    @Test
    void whereThereIsNoneTheyAreSkippedInABoxThatCannotBeOverlooked() {
        PrintStream before = System.err;
        var captured = new ByteArrayOutputStream();
        System.setErr(new PrintStream(captured, true, UTF_8));
        TestExecutionSummary summary;
        try {
            summary = run(MayBeSkipped.class);
        } finally {
            System.setErr(before);
        }

        assertThat(summary.getContainersSkippedCount()).isEqualTo(1);
        assertThat(summary.getTestsStartedCount()).isZero();
        assertThat(captured.toString(UTF_8).lines().map(String::strip))
                .containsSubsequence(
                        "#".repeat(120),
                        "DockerConditionTest$MayBeSkipped",
                        "SKIPPED: no Docker daemon: nobody listens",
                        "#".repeat(120));
    }

    @Test
    void whereNothingMayBeSkippedTheyFail() {
        assertThat(run(MayNotBeSkipped.class).getFailures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.getException())
                        .hasRootCauseMessage("no Docker daemon, and with CI=true nothing is skipped: nobody listens"));
    }

    private static TestExecutionSummary run(Class<?> tests) {
        var listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request().selectors(selectClass(tests)).build(), listener);
        return listener.getSummary();
    }

    static final class WithDocker {

        @RegisterExtension
        static final DockerCondition DOCKER = new DockerCondition(Optional::empty, false);

        @Test
        void runs() {}
    }

    static final class MayBeSkipped {

        @RegisterExtension
        static final DockerCondition DOCKER = new DockerCondition(() -> Optional.of("nobody listens"), true);

        @Test
        void isNotRun() {}
    }

    static final class MayNotBeSkipped {

        @RegisterExtension
        static final DockerCondition DOCKER = new DockerCondition(() -> Optional.of("nobody listens"), false);

        @Test
        void isNotRun() {}
    }
}
