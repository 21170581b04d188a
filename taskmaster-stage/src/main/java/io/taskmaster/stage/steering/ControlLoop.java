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
 * The control loop of one stage: takes samples at even intervals, and lets the {@linkplain Actuator levers} follow
 * them. Thread-safe: one alarm of the timer after the other.
 */
public final class ControlLoop {

    private static final Logger LOG = LoggerFactory.getLogger(ControlLoop.class);

    /** The time between samples. */
    public static final Duration INTERVAL = Duration.ofMillis(100);

    private final Warnings warnings;
    private final Timer timer;
    private final List<Actuator> actuators;
    private final LongFunction<Sample> sampler;
    private final BooleanSupplier isOver;

    /**
     * @param stage the name of the stage in the log
     * @param timer the timer, on whose alarms everything passed here is called
     * @param sampler makes the sample since the previous one; receives the time in nanoseconds
     * @param isOver returns true when the stage needs no controllers any more
     */
    public ControlLoop(
            String stage, Timer timer, List<Actuator> actuators, LongFunction<Sample> sampler, BooleanSupplier isOver) {
        this.warnings = new Warnings(stage, LOG, timer);
        this.timer = timer;
        this.actuators = new ArrayList<>(actuators);
        this.sampler = sampler;
        this.isOver = isOver;
    }

    public void begin() {
        timer.schedule(this::adjust, INTERVAL.toNanos());
    }

    private void adjust() {
        if (!isOver.getAsBoolean()) {
            Sample sample = sampler.apply(timer.nanoTime());
            actuators.removeIf(actuator -> !actuator.adjust(sample, warnings));
            if (!actuators.isEmpty()) {
                begin();
            }
        }
    }
}
