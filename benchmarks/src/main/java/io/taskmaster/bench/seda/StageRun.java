package io.taskmaster.bench.seda;

import static java.util.Objects.requireNonNull;

import io.taskmaster.bench.load.Latencies;
import io.taskmaster.bench.seda.Feed.Load;
import io.taskmaster.client.ServiceClass;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStageBuilder;
import io.taskmaster.stage.local.LocalStages;
import io.taskmaster.stage.local.LocalStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * A run of one stage under a load. Immutable.
 *
 * @param settings builds the stage, whose handler reports completed events to the meter
 */
record StageRun(String name, Load load, BiConsumer<LocalStageBuilder<Event>, Meter> settings) {

    private static final Duration SAMPLE_INTERVAL = Duration.ofMillis(100);

    /**
     * The result of a run. Immutable.
     *
     * @param responses the response times within the measured time, by class
     * @param samples the states of the stage every 100 ms from the start, warm-up included
     * @param measuredFrom the index of the first state within the measured time
     */
    record Result(
            String name,
            Duration measured,
            Map<ServiceClass, Latencies> responses,
            List<LocalStatus> samples,
            int measuredFrom) {

        double perSecond() {
            return responses.values().stream().mapToLong(Latencies::count).sum() * 1e9 / measured.toNanos();
        }

        double perSecond(ServiceClass serviceClass) {
            return responses(serviceClass).count() * 1e9 / measured.toNanos();
        }

        Latencies responses(ServiceClass serviceClass) {
            return requireNonNull(responses.get(serviceClass), "of every class");
        }

        Latencies interactive() {
            return responses(ServiceClass.INTERACTIVE);
        }

        List<LocalStatus> measuredStatus() {
            return samples.subList(measuredFrom, samples.size());
        }
    }

    Result run(Duration warmUp, Duration measured) throws InterruptedException {
        Meter meter = new Meter();
        List<LocalStatus> samples = new ArrayList<>();
        try (LocalStages stages = LocalStages.start()) {
            LocalStage<Event> stage = stages.add("stage", builder -> settings.accept(builder, meter));
            try (Feed _ = new Feed(load, stage::offer)) {
                sample(stage, warmUp, samples);
                int measuredFrom = samples.size();
                Map<ServiceClass, Latencies> _ = meter.take();
                long startNanos = System.nanoTime();
                sample(stage, measured, samples);
                Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
                return new Result(name, took, meter.take(), List.copyOf(samples), measuredFrom);
            } finally {
                // Draining the remaining events would take long with some settings, and their results are not needed.
                stages.remove("stage", Duration.ZERO).join();
            }
        }
    }

    private static void sample(LocalStage<?> stage, Duration span, List<LocalStatus> samples)
            throws InterruptedException {
        long endNanos = System.nanoTime() + span.toNanos();
        while (System.nanoTime() - endNanos < 0) {
            Thread.sleep(SAMPLE_INTERVAL);
            samples.add(stage.status());
        }
    }
}
