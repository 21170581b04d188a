package io.taskmaster.stage.worker;

import io.taskmaster.stage.StageSettings;
import io.taskmaster.stage.control.Range;
import io.taskmaster.stage.steering.Actuator;
import java.util.ArrayList;
import java.util.List;

/**
 * The present limits of a stage, from its settings or its controllers. When a limit falls, the tasks that are held go
 * on, and nothing new begins until the number is below the limit. Single-threaded: owned by a stage runner.
 */
final class StageLimits {

    private final StageSettings settings;
    private int concurrency;
    private int maxBatch;

    StageLimits(StageSettings settings) {
        this.settings = settings;
        this.concurrency = settings.concurrency();
        this.maxBatch = settings.maxBatch();
    }

    /** The maximum number of calls of the handler at once. */
    int concurrency() {
        return concurrency;
    }

    /** The maximum number of tasks in one call. */
    int maxBatch() {
        return maxBatch;
    }

    /** The maximum number of tasks that are held, with handlers or leased ahead. */
    int inHand() {
        return concurrency * maxBatch + settings.prefetch();
    }

    /**
     * Returns the levers of the stage's controllers; empty if the limits are fixed.
     *
     * @param changed called after each change of a limit
     */
    List<Actuator> actuators(Runnable changed) {
        List<Actuator> actuators = new ArrayList<>();
        settings.concurrencyController()
                .ifPresent(decides -> actuators.add(new Actuator(decides, calls -> {
                    concurrency = within("concurrency", calls, settings.concurrencies());
                    changed.run();
                })));
        settings.batchController()
                .ifPresent(decides -> actuators.add(new Actuator(decides, tasks -> {
                    maxBatch = within("maxBatch", tasks, settings.batches());
                    changed.run();
                })));
        return actuators;
    }

    /** Checks a controller's decision against the range for which the pipeline was validated. */
    private static int within(String name, int value, Range range) {
        if (value < range.least() || value > range.most()) {
            throw new IllegalArgumentException(
                    "%s: %d (expected: %d to %d)".formatted(name, value, range.least(), range.most()));
        }
        return value;
    }
}
