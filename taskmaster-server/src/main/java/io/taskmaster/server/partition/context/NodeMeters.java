package io.taskmaster.server.partition.context;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.taskmaster.server.partition.budget.LogBackpressure;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.log.RowsInFlight;
import io.taskmaster.server.partition.loop.EngineClock;
import java.util.EnumSet;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * The meters of all partitions of a node together. Thread-safe.
 *
 * <table>
 *   <caption>Meters</caption>
 *   <tr><td>{@code taskmaster.partitions}</td>
 *       <td>partitions, by {@code state}: opening, serving, draining, stopped until they are opened again,
 *           damaged</td></tr>
 *   <tr><td>{@code taskmaster.served}</td>
 *       <td>updates and leases that were answered, by {@code from}: memory, or store if it had to be read</td></tr>
 *   <tr><td>{@code taskmaster.refills}</td><td>scans for more of a queue's head</td></tr>
 *   <tr><td>{@code taskmaster.flush.rounds}</td><td>completed flush rounds, and their durations</td></tr>
 *   <tr><td>{@code taskmaster.flush.tasks}</td><td>tasks that they wrote</td></tr>
 *   <tr><td>{@code taskmaster.log.waiting}, {@code .max}</td><td>bytes of atoms that are not durable yet</td></tr>
 *   <tr><td>{@code taskmaster.log.wait}</td><td>the wait of an atom until it is durable, mean of the last few</td></tr>
 *   <tr><td>{@code taskmaster.log.rows.in.flight}</td><td>rows in flight to the store</td></tr>
 *   <tr><td>{@code taskmaster.log.unflushed}</td>
 *       <td>bytes of rows that no checkpoint covers: replayed after a crash</td></tr>
 *   <tr><td>{@code taskmaster.admission.waiting}</td><td>requests that wait for admission to their partitions</td></tr>
 *   <tr><td>{@code taskmaster.admission.refused}, {@code .by.caller}</td>
 *       <td>requests refused because they waited too long for that: all of them, and those of the callers that were
 *           refused last</td></tr>
 *   <tr><td>{@code taskmaster.recovery}</td>
 *       <td>the time that partitions took to open, from the takeover until they served</td></tr>
 *   <tr><td>{@code taskmaster.memory.used}, {@code .max}</td>
 *       <td>bytes, by {@code use}: window, dirty, dedup, queues</td></tr>
 *   <tr><td>{@code taskmaster.clock.ahead}</td>
 *       <td>the lead of the time of leases and delays over the wall clock; negative: behind</td></tr>
 *   <tr><td>{@code taskmaster.clock.steps}</td>
 *       <td>the number of times that the wall clock was set by a second or more</td></tr>
 *   <tr><td>{@code taskmaster.queues.used}, {@code .max}</td><td>queues with tasks or options</td></tr>
 * </table>
 */
public final class NodeMeters {

    private final MeterRegistry registry;
    private final Counter fromMemory;
    private final Counter fromStore;
    private final Counter refills;
    private final Timer rounds;
    private final Counter flushed;
    private final LongAdder opened = new LongAdder();
    private final LongAdder openingNanos = new LongAdder();

    private final LongAdder unflushedLogBytes = new LongAdder();
    private final LongAdder waiting = new LongAdder();
    private final RefusalCounters refusalCounters;

    NodeMeters(
            MeterRegistry registry,
            MemoryBudget budget,
            LogBackpressure logBackpressure,
            RowsInFlight rows,
            Phases phases) {
        this.registry = registry;
        refusalCounters = new RefusalCounters(registry);
        fromMemory = served(registry, "memory");
        fromStore = served(registry, "store");
        refills = counter(registry, "taskmaster.refills", "Refills: scans that extend the window of a queue");
        rounds = Timer.builder("taskmaster.flush.rounds")
                .description("Duration of flush rounds")
                .register(registry);
        flushed = counter(registry, "taskmaster.flush.tasks", "Tasks written by flush rounds");
        for (Phase phase : EnumSet.range(Phase.OPENING, Phase.DAMAGED)) {
            Gauge.builder("taskmaster.partitions", phases, all -> (double) all.count(phase))
                    .description("Partitions by state")
                    .tag("state", phase.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        log(logBackpressure, rows);
        FunctionTimer.builder(
                        "taskmaster.recovery",
                        this,
                        meters -> meters.opened.sum(),
                        meters -> (double) meters.openingNanos.sum(),
                        TimeUnit.NANOSECONDS)
                .description("Duration of partition openings")
                .register(registry);
        memory("window", () -> budget.use().windowBytes(), () -> budget.limits().windowBytes());
        memory("dirty", () -> budget.use().dirtyBytes(), () -> budget.limits().dirtyBytes());
        memory("dedup", () -> budget.use().dedupBytes(), () -> budget.limits().dedupBytes());
        memory("queues", () -> budget.use().queueBytes(), () -> budget.limits().queueBytes());
        gauge(
                "taskmaster.queues.used",
                "Queues with tasks or options",
                () -> budget.use().queues());
        gauge(
                "taskmaster.queues.max",
                "Maximum number of queues with tasks or options",
                () -> budget.limits().queues());
    }

    private void log(LogBackpressure logBackpressure, RowsInFlight rows) {
        bytes(
                "taskmaster.log.waiting",
                "Bytes in the log that are not durable yet",
                Tags.empty(),
                logBackpressure::waitingBytes);
        bytes(
                "taskmaster.log.waiting.max",
                "Maximum bytes in the log that are not durable yet",
                Tags.empty(),
                logBackpressure::limit);
        bytes(
                "taskmaster.log.unflushed",
                "Bytes of the log to replay after a crash",
                Tags.empty(),
                unflushedLogBytes::sum);
        gauge("taskmaster.log.rows.in.flight", "Log rows in flight to the store", rows::count);
        gauge("taskmaster.admission.waiting", "Requests waiting for admission to their partitions", waiting::sum);
        TimeGauge.builder(
                        "taskmaster.log.wait", logBackpressure, TimeUnit.MILLISECONDS, LogBackpressure::usualWaitMillis)
                .description("Time until an atom is durable, the mean of the last measurements")
                .register(registry);
    }

    /** Registers the meters of the time by which leases end. */
    public void clock(EngineClock clock) {
        TimeGauge.builder("taskmaster.clock.ahead", clock, TimeUnit.MILLISECONDS, time -> (double) time.aheadMillis())
                .description("Time of leases and delays minus the wall clock; negative if it is behind")
                .strongReference(true)
                .register(registry);
        FunctionCounter.builder("taskmaster.clock.steps", clock, time -> (double) time.steps())
                .description("Steps of the wall clock by a second or more")
                .register(registry);
    }

    private static Counter counter(MeterRegistry registry, String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    private static Counter served(MeterRegistry registry, String from) {
        return Counter.builder("taskmaster.served")
                .description("Updates and leases answered from memory, or after a read of the store")
                .tag("from", from)
                .register(registry);
    }

    private void memory(String use, Supplier<Number> used, Supplier<Number> max) {
        bytes("taskmaster.memory.used", "Memory in use", Tags.of("use", use), used);
        bytes("taskmaster.memory.max", "Maximum memory in use", Tags.of("use", use), max);
    }

    private void bytes(String name, String description, Tags tags, Supplier<Number> value) {
        Gauge.builder(name, value)
                .description(description)
                .baseUnit("bytes")
                .tags(tags)
                .register(registry);
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
    }

    /** The registry of all meters of the node. */
    public MeterRegistry registry() {
        return registry;
    }

    /** Counts an answered update or lease. */
    public void served(boolean afterReading) {
        (afterReading ? fromStore : fromMemory).increment();
    }

    public void refill() {
        refills.increment();
    }

    public void flushed(int tasks, long tookMillis) {
        rounds.record(tookMillis, TimeUnit.MILLISECONDS);
        flushed.increment(tasks);
    }

    /** Counts bytes of the log that no checkpoint covers; negative: that one covers now. */
    public void unflushed(long moreBytes) {
        unflushedLogBytes.add(moreBytes);
    }

    /** Counts requests that wait for admission; negative: that wait no more. */
    public void waiting(int more) {
        waiting.add(more);
    }

    /** Counts a request that has waited too long for admission. */
    public void refused(String caller) {
        refusalCounters.refused(caller);
    }

    /** Returns the start time of an opening, for {@link #opened}. */
    public long opening() {
        return registry.config().clock().monotonicTime();
    }

    /** Counts a partition that serves. */
    public void opened(long startNanos) {
        opened.increment();
        openingNanos.add(registry.config().clock().monotonicTime() - startNanos);
    }
}
