package io.taskmaster.server.partition.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RefusalCountersTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RefusalCounters refusalCounters = new RefusalCounters(registry);

    @Test
    void theCallersThatWereRefusedLastHaveSeriesAndAllAreCounted() {
        for (int i = 0; i < 10 * RefusalCounters.MAX_CALLERS; i++) {
            refusalCounters.refused("greedy");
            refusalCounters.refused("caller " + i);
        }

        List<Meter> series = registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().equals("taskmaster.admission.refused.by.caller"))
                .toList();
        assertThat(series).hasSize(RefusalCounters.MAX_CALLERS);
        assertThat(count("greedy")).isEqualTo(10 * RefusalCounters.MAX_CALLERS);
        assertThat(registry.get("taskmaster.admission.refused").counter().count())
                .isEqualTo(20 * RefusalCounters.MAX_CALLERS);
        assertThat(registry.find("taskmaster.admission.refused.by.caller")
                        .tag("caller", "caller 0")
                        .counter())
                .isNull();
    }

    @Test
    void whoIsNotKnownHasASeriesToo() {
        refusalCounters.refused("");

        assertThat(count("unknown")).isEqualTo(1);
    }

    private double count(String caller) {
        Counter counter = registry.get("taskmaster.admission.refused.by.caller")
                .tag("caller", caller)
                .counter();
        return counter.count();
    }
}
