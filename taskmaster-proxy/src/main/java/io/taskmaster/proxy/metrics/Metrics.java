package io.taskmaster.proxy.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.MultiCollector;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The metrics of a process and of its JVM, in the format of Prometheus. Thread-safe. */
public final class Metrics implements AutoCloseable {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ExpositionFormats formats = ExpositionFormats.init();
    private final JvmGcMetrics collections = new JvmGcMetrics();

    /**
     * The answer to a scrape. Immutable.
     *
     * @param type the content type of the text
     */
    public record Scrape(String type, String text) {}

    public Metrics() {
        // Excluded, since their names mislead in Prometheus: one is in nanoseconds, and one is a count that does not
        // count events.
        registry.config()
                .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
                .meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"));
        collections.bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /** The registry in which other parts of the process register their meters. */
    public MeterRegistry registry() {
        return registry;
    }

    /** Adds a collector of values that exist beside the registry. */
    public void register(MultiCollector collector) {
        registry.getPrometheusRegistry().register(collector);
    }

    /**
     * Returns the current values.
     *
     * @param accepted the types that the caller accepts, as in the header {@code Accept}
     */
    public Scrape scrape(String accepted) {
        ExpositionFormatWriter openMetrics = formats.getOpenMetricsTextFormatWriter();
        ExpositionFormatWriter writer =
                openMetrics.accepts(accepted) ? openMetrics : formats.getPrometheusTextFormatWriter();
        var text = new ByteArrayOutputStream();
        try {
            writer.write(text, registry.getPrometheusRegistry().scrape());
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return new Scrape(writer.getContentType(), text.toString(UTF_8));
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
