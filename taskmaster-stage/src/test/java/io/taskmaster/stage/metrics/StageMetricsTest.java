package io.taskmaster.stage.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStages;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class StageMetricsTest {

    private final MeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void localStageIsMeasuredUntilItIsGone() {
        try (LocalStages stages = LocalStages.start()) {
            LocalStage<String> stage = stages.add(
                    "render",
                    s -> s.handler(event -> {
                        if (event.isEmpty()) {
                            throw new IllegalArgumentException("empty");
                        }
                    }));
            LocalStageMetrics metrics = new LocalStageMetrics(stage);
            metrics.bindTo(registry);
            stage.offer("a");
            stage.offer("b");
            stage.offer("");
            assertThat(values())
                    .containsEntry("taskmaster.local.stage.events{outcome=done, stage=render}", 2.0)
                    .containsEntry("taskmaster.local.stage.events{outcome=dropped, stage=render}", 1.0)
                    .containsEntry("taskmaster.local.stage.capacity{stage=render}", 0.0);
            metrics.close();
            assertThat(values()).isEmpty();
        }
    }

    @Test
    void waitsAndServiceTimesHaveTimers() {
        try (LocalStages stages = LocalStages.start()) {
            LocalStage<String> stage =
                    stages.add("render", s -> s.handler(_ -> {}).timed(LocalStageMetrics.times(registry, "render")));
            stage.offer("a");
            stage.offer("b");
        }
        assertThat(registry.get("taskmaster.local.stage.wait").timer().count()).isEqualTo(2);
        assertThat(registry.get("taskmaster.local.stage.service")
                        .tag("stage", "render")
                        .timer()
                        .count())
                .isEqualTo(2);
    }

    private Map<String, Double> values() {
        return registry.getMeters().stream()
                .collect(Collectors.toMap(StageMetricsTest::name, StageMetricsTest::value, Double::sum, TreeMap::new));
    }

    private static String name(Meter meter) {
        return meter.getId().getName()
                + meter.getId().getTags().stream()
                        .map(tag -> tag.getKey() + "=" + tag.getValue())
                        .collect(Collectors.joining(", ", "{", "}"));
    }

    private static double value(Meter meter) {
        return meter.measure().iterator().next().getValue();
    }
}
