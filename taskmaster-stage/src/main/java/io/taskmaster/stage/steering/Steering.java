package io.taskmaster.stage.steering;

import io.taskmaster.client.Timer;
import io.taskmaster.stage.control.Sample;
import io.taskmaster.stage.guard.Warnings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the controllers of a stage what it does, at even intervals, and does as they say. Thread-safe: one alarm after the other.
 */
public final class Steering {

    private static final Logger LOG = LoggerFactory.getLogger(Steering.class);

    /** Between samples. */
    public static final Duration INTERVAL = Duration.ofMillis(100);

    private final Warnings warnings;
    private final Timer timer;
    private final List<Lever> levers;
    private final LongFunction<Sample> sampler;
    private final BooleanSupplier isOver;

    /**
     * @param stage as the log is to name it
     * @param timer on whose alarms all that is handed in here is called
     * @param sampler what the stage did since the last sample, by the time of this one
     * @param isOver whether the stage needs no controllers any more
     */
    public Steering(
            String stage, Timer timer, List<Lever> levers, LongFunction<Sample> sampler, BooleanSupplier isOver) {
        this.warnings = new Warnings(stage, LOG, timer);
        this.timer = timer;
        this.levers = new ArrayList<>(levers);
        this.sampler = sampler;
        this.isOver = isOver;
    }

    public void begin() {
        timer.schedule(this::steer, INTERVAL.toNanos());
    }

    private void steer() {
        if (!isOver.getAsBoolean()) {
            Sample sample = sampler.apply(timer.nanoTime());
            levers.removeIf(lever -> !lever.pull(sample, warnings));
            if (!levers.isEmpty()) {
                begin();
            }
        }
    }
}
