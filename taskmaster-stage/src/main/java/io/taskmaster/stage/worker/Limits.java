package io.taskmaster.stage.worker;

import io.taskmaster.stage.StageSettings;
import io.taskmaster.stage.control.Range;
import io.taskmaster.stage.steering.Lever;
import java.util.ArrayList;
import java.util.List;

/**
 * What a stage may have in hand at present: as its settings say, or its controllers. When a limit sinks, what is in hand stays until it is over, and nothing new is begun until
 * there is room under it. Single-threaded: owned by a stage runner.
 */
final class Limits {

    private final StageSettings settings;
    private int concurrency;
    private int maxBatch;

    Limits(StageSettings settings) {
        this.settings = settings;
        this.concurrency = settings.concurrency();
        this.maxBatch = settings.maxBatch();
    }

    /** Calls of the handler that run at once. */
    int concurrency() {
        return concurrency;
    }

    /** Tasks that one of them gets. */
    int maxBatch() {
        return maxBatch;
    }

    /** Tasks in hand, at work or leased ahead. */
    int inHand() {
        return concurrency * maxBatch + settings.prefetch();
    }

    /**
     * Who changes them; none: they stay.
     *
     * @param changed hears of each change
     */
    List<Lever> levers(Runnable changed) {
        List<Lever> levers = new ArrayList<>();
        settings.concurrencyController()
                .ifPresent(decides -> levers.add(new Lever(decides, calls -> {
                    concurrency = within("concurrency", calls, settings.concurrencies());
                    changed.run();
                })));
        settings.batchController()
                .ifPresent(decides -> levers.add(new Lever(decides, tasks -> {
                    maxBatch = within("maxBatch", tasks, settings.batches());
                    changed.run();
                })));
        return levers;
    }

    /** Nothing beyond what was known, and checked, when the pipeline was built. */
    private static int within(String name, int value, Range range) {
        if (value < range.least() || value > range.most()) {
            throw new IllegalArgumentException(
                    "%s: %d (expected: %d to %d)".formatted(name, value, range.least(), range.most()));
        }
        return value;
    }
}
