package io.taskmaster.testkit.junit;

import io.taskmaster.testkit.containers.Docker;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A condition of tests that need Docker: without it they are skipped or fail. Thread-safe. */
final class DockerCondition implements ExecutionCondition {

    private static final String BORDER = "#".repeat(120);

    private final Supplier<Optional<String>> whyNot;
    private final boolean mayBeSkipped;

    DockerCondition() {
        this(Docker::whyNot, !Boolean.parseBoolean(System.getenv("CI")));
    }

    /**
     * @param whyNot supplies the reason why there is no Docker; empty if there is
     * @param mayBeSkipped whether tests are skipped without Docker; otherwise they fail
     */
    DockerCondition(Supplier<Optional<String>> whyNot, boolean mayBeSkipped) {
        this.whyNot = whyNot;
        this.mayBeSkipped = mayBeSkipped;
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return whyNot.get()
                .map(reason -> without(context.getDisplayName(), reason))
                .orElseGet(() -> ConditionEvaluationResult.enabled("a Docker daemon is available"));
    }

    private ConditionEvaluationResult without(String tests, String reason) {
        if (!mayBeSkipped) {
            throw new IllegalStateException("no Docker daemon, and with CI=true nothing is skipped: " + reason);
        }
        String skipped = "SKIPPED: no Docker daemon: " + reason;
        System.err.printf("%n%s%n  %s%n  %s%n%s%n%n", BORDER, tests, skipped, BORDER);
        return ConditionEvaluationResult.disabled(skipped);
    }
}
