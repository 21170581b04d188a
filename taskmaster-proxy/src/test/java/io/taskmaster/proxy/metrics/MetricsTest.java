package io.taskmaster.proxy.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests of {@link Metrics}. */
final class MetricsTest {

    @Test
    void speaksTheFormatThatIsAskedFor() {
        try (Metrics metrics = new Metrics()) {
            assertThat(metrics.scrape("").type()).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
            Metrics.Scrape open = metrics.scrape("application/openmetrics-text;version=1.0.0,text/plain;q=0.5");
            assertThat(open.type()).startsWith("application/openmetrics-text");
            assertThat(open.text()).endsWith("# EOF\n");
            assertThat(metrics.scrape(
                                    "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;q=0.6,text/plain;q=0.5")
                            .type())
                    .as("not served")
                    .startsWith("text/plain");
        }
    }
}
