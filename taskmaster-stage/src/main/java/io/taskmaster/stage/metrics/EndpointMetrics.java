package io.taskmaster.stage.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.taskmaster.stage.net.CloseReason;
import io.taskmaster.stage.net.Endpoint;
import io.taskmaster.stage.net.EndpointStatus;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The meters of one endpoint of the sockets. Thread-safe.
 *
 * <table>
 *   <caption>Meters, each with the tag {@code endpoint}</caption>
 *   <tr><td>{@code taskmaster.endpoint.connections}</td><td>open connections</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.connections.paused}</td><td>those of them that are not read because of
 *       backpressure</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.connections.opened}, {@code .refused}</td><td>in total</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.accept.stops}, {@code .failures}</td><td>the number of times that accepting
 *       stopped because of {@code maxConnections}, and that it failed</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.connections.ended}</td><td>by {@code cause}: {@code clogged} and the others
 *       of {@link CloseReason.Cause}</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.messages}, {@code .bytes}</td><td>by {@code direction}: in, out</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.pauses}</td><td>the number of times that a connection was paused</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.dropped}</td><td>messages that stages dropped</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.in.hand}</td><td>messages in flight: neither answered nor done</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.waiting}</td><td>bytes that peers have not read</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.input}</td><td>bytes that were read and that the sink has not taken</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.memory.max}</td><td>the maximum of both together, in bytes</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.memory.waiters}</td><td>connections that wait for memory to be read</td></tr>
 * </table>
 */
public final class EndpointMetrics implements MeterBinder {

    private final Endpoint endpoint;

    /** Creates the meters of an endpoint; {@link #bindTo} registers them. */
    public EndpointMetrics(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Tags in = Tags.of("direction", "in");
        Tags out = Tags.of("direction", "out");
        gauge(registry, "connections", EndpointStatus::connections);
        gauge(registry, "connections.paused", EndpointStatus::paused);
        count(registry, "connections.opened", "connections", Tags.empty(), EndpointStatus::opened);
        count(registry, "connections.refused", "connections", Tags.empty(), EndpointStatus::refused);
        count(registry, "accept.stops", "stops", Tags.empty(), EndpointStatus::acceptStops);
        count(registry, "accept.failures", "failures", Tags.empty(), EndpointStatus::acceptFailures);
        for (CloseReason.Cause cause : CloseReason.Cause.values()) {
            Tags tags = Tags.of("cause", cause.name().toLowerCase(Locale.ROOT));
            count(registry, "connections.ended", "connections", tags, status -> status.ended(cause));
        }
        count(registry, "messages", "messages", in, EndpointStatus::messagesIn);
        count(registry, "messages", "messages", out, EndpointStatus::messagesOut);
        count(registry, "bytes", "bytes", in, EndpointStatus::bytesIn);
        count(registry, "bytes", "bytes", out, EndpointStatus::bytesOut);
        count(registry, "pauses", "pauses", Tags.empty(), EndpointStatus::pauses);
        count(registry, "dropped", "messages", Tags.empty(), EndpointStatus::dropped);
        gauge(registry, "in.hand", EndpointStatus::inHand);
        gauge(registry, "waiting", EndpointStatus::waitingBytes);
        gauge(registry, "input", EndpointStatus::inputBytes);
        gauge(registry, "memory.max", EndpointStatus::maxMemoryBytes);
        gauge(registry, "memory.waiters", EndpointStatus::waitingForMemory);
    }

    private void count(
            MeterRegistry registry, String metric, String unit, Tags tags, ToDoubleFunction<EndpointStatus> value) {
        FunctionCounter.builder("taskmaster.endpoint." + metric, endpoint, read -> value.applyAsDouble(read.status()))
                .tag("endpoint", endpoint.name())
                .tags(tags)
                .baseUnit(unit)
                .register(registry);
    }

    private void gauge(MeterRegistry registry, String metric, ToDoubleFunction<EndpointStatus> value) {
        Gauge.builder("taskmaster.endpoint." + metric, endpoint, read -> value.applyAsDouble(read.status()))
                .tag("endpoint", endpoint.name())
                .register(registry);
    }
}
