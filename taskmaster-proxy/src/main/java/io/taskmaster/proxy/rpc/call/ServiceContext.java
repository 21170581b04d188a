package io.taskmaster.proxy.rpc.call;

import io.micrometer.core.instrument.MeterRegistry;
import io.taskmaster.time.Clock;

/**
 * The surroundings that all services of a port share. Immutable.
 *
 * @param inFlightLimiter the bound on requests in flight of all services together
 * @param clock the clock for waits
 * @param offloadExecutor runs work that takes too long for a partition's loop
 * @param meters the registry for timers of calls
 */
public record ServiceContext(
        InFlightLimiter inFlightLimiter, Clock clock, OffloadExecutor offloadExecutor, MeterRegistry meters) {}
