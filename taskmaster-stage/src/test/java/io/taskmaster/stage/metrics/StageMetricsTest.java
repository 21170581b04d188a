package io.taskmaster.stage.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.local.Drop;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStages;
import io.taskmaster.stage.local.admission.AdmissionRule;
import java.util.List;
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
                    .containsEntry("taskmaster.local.stage.events{cause=none, outcome=done, stage=render}", 2.0)
                    .containsEntry("taskmaster.local.stage.events{cause=failed, outcome=dropped, stage=render}", 1.0)
                    .containsEntry("taskmaster.local.stage.events{cause=shed, outcome=dropped, stage=render}", 0.0)
                    .containsEntry("taskmaster.local.stage.capacity{stage=render}", 0.0);
            metrics.close();
            assertThat(values()).isEmpty();
        }
    }

    @Test
    void pauseAndRefusalsAndTheLimitsBehindThemAreMeasured() {
        try (LocalStages stages = LocalStages.start()) {
            LocalStage<String> stage = stages.add(
                    "render",
                    s -> s.handler(_ -> {})
                            .boundary(10, b -> b.admission(AdmissionRule.tokenBucket(new Rate(0.001, 1)))));
            LocalStageMetrics metrics = new LocalStageMetrics(stage);
            metrics.bindTo(registry);
            stage.pause();
            for (int i = 0; i < 3; i++) {
                stage.offer("a");
            }
            assertThat(values())
                    .containsEntry("taskmaster.local.stage.paused{stage=render}", 1.0)
                    .containsEntry("taskmaster.local.stage.waiting{stage=render}", 1.0)
                    .containsEntry(
                            "taskmaster.local.stage.events{cause=not_admitted, outcome=refused, stage=render}", 2.0)
                    .containsEntry("taskmaster.local.stage.events{cause=full, outcome=refused, stage=render}", 0.0)
                    .containsEntry("taskmaster.local.stage.limit{limit=rate, stage=render}", 0.001)
                    .containsEntry("taskmaster.local.stage.limit{limit=burst, stage=render}", 1.0);
            metrics.close();
            assertThat(values()).isEmpty();
        }
    }

    /** Checks the tags, since a registry such as that of Prometheus refuses all but the first meter otherwise. */
    @Test
    void metersOfOneNameHaveTheSameTags() {
        try (LocalStages stages = LocalStages.start()) {
            LocalStage<String> stage = stages.add("render", s -> s.handler(_ -> {}));
            new LocalStageMetrics(stage).bindTo(registry);
            assertThat(registry.get("taskmaster.local.stage.events").meters())
                    .hasSize(3 + Drop.Cause.values().length + Admission.Cause.values().length)
                    .extracting(meter ->
                            meter.getId().getTags().stream().map(Tag::getKey).toList())
                    .containsOnly(List.of("cause", "outcome", "stage"));
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
