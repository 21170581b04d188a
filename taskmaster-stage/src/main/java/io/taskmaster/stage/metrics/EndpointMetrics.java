package io.taskmaster.stage.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.taskmaster.stage.net.Ending;
import io.taskmaster.stage.net.Endpoint;
import io.taskmaster.stage.net.EndpointStatus;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * One endpoint of the sockets. Thread-safe.
 *
 * <table>
 *   <caption>Meters, each with the tag {@code endpoint}</caption>
 *   <tr><td>{@code taskmaster.endpoint.connections}</td><td>that are open</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.connections.paused}</td><td>of these, those that are not read for want of room</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.connections.opened}, {@code .refused}</td><td>so far</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.accept.stops}, {@code .failures}</td><td>how often no more were accepted, since there were {@code maxConnections}; and how often it failed</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.connections.ended}</td><td>by {@code cause}: {@code clogged} and the others of {@link Ending.Cause}</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.messages}, {@code .bytes}</td><td>by {@code direction}: in, out</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.pauses}</td><td>how often a connection was paused</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.dropped}</td><td>messages that stages dropped</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.in.hand}</td><td>messages that are not answered, nor done</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.waiting}</td><td>bytes that peers have not read</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.input}</td><td>bytes that were read and that the sink has not taken</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.memory.max}</td><td>what both may be, in bytes</td></tr>
 *   <tr><td>{@code taskmaster.endpoint.memory.waiters}</td><td>connections that have sent more than there is memory for</td></tr>
 * </table>
 */
public final class EndpointMetrics implements MeterBinder {

    private final Endpoint endpoint;

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
        for (Ending.Cause cause : Ending.Cause.values()) {
            Tags why = Tags.of("cause", cause.name().toLowerCase(Locale.ROOT));
            count(registry, "connections.ended", "connections", why, status -> status.ended(cause));
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
            MeterRegistry registry, String what, String unit, Tags tags, ToDoubleFunction<EndpointStatus> value) {
        FunctionCounter.builder("taskmaster.endpoint." + what, endpoint, read -> value.applyAsDouble(read.status()))
                .tag("endpoint", endpoint.name())
                .tags(tags)
                .baseUnit(unit)
                .register(registry);
    }

    private void gauge(MeterRegistry registry, String what, ToDoubleFunction<EndpointStatus> value) {
        Gauge.builder("taskmaster.endpoint." + what, endpoint, read -> value.applyAsDouble(read.status()))
                .tag("endpoint", endpoint.name())
                .register(registry);
    }
}
