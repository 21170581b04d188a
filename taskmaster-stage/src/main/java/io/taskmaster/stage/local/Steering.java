package io.taskmaster.stage.local;

import io.taskmaster.client.Timer;
import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.control.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the controllers of a stage what it does, at even intervals, and does as they say. Thread-safe: one alarm after the other.
 */
final class Steering {

    /** Between samples. */
    static final Duration INTERVAL = Duration.ofMillis(100);

    private static final Logger LOG = LoggerFactory.getLogger(Steering.class);

    /** A setting and who decides on it. Owned by the steering. */
    static final class Lever {

        private final IntConsumer setting;
        private Controller controller;

        Lever(Controller controller, IntConsumer setting) {
            this.controller = controller;
            this.setting = setting;
        }

        /** False: its controller failed, and is asked no more. */
        @SuppressWarnings("CatchingUnchecked") // Whatever a controller throws, the stage keeps its setting.
        private boolean pull(Sample sample, String stage) {
            try {
                int before = controller.setting();
                controller = controller.after(sample);
                int now = controller.setting();
                if (now != before) {
                    setting.accept(now);
                }
                return true;
            } catch (Throwable e) {
                LOG.error("local stage {}: a controller failed, and what it set stays as it is", stage, e);
                return false;
            }
        }
    }

    private final String stage;
    private final Timer timer;
    private final List<Lever> levers;
    private final LongFunction<Sample> sampler;
    private final BooleanSupplier isOver;

    /**
     * @param sampler what the stage did since the last sample, by the time of this one
     * @param isOver whether the stage needs no controllers any more
     */
    Steering(String stage, Timer timer, List<Lever> levers, LongFunction<Sample> sampler, BooleanSupplier isOver) {
        this.stage = stage;
        this.timer = timer;
        this.levers = new ArrayList<>(levers);
        this.sampler = sampler;
        this.isOver = isOver;
    }

    void begin() {
        timer.schedule(this::steer, INTERVAL.toNanos());
    }

    private void steer() {
        if (!isOver.getAsBoolean()) {
            Sample sample = sampler.apply(timer.nanoTime());
            levers.removeIf(lever -> !lever.pull(sample, stage));
            if (!levers.isEmpty()) {
                begin();
            }
        }
    }
}
