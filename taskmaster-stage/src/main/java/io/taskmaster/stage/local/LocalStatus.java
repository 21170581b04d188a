package io.taskmaster.stage.local;

import java.util.Optional;

/**
 * What a local stage is doing, at one moment, and has done since it was added. Immutable.
 *
 * @param capacity credits; 0: it has no boundary
 * @param waiting credits of the events that wait
 * @param workers that are at work, or were called
 * @param maxWorkers how many of them there may be, at present
 * @param maxBatch how many events they handle together at most, at present
 * @param done events that were handled
 * @param dropped events that were taken and then dropped, for whatever cause
 * @param refused offers that were refused
 * @param degraded events that the other handler got
 * @param spilled events that were sent elsewhere
 * @param lastDrop why an event was last dropped
 */
public record LocalStatus(
        String stage,
        long capacity,
        long waiting,
        int workers,
        int maxWorkers,
        int maxBatch,
        long done,
        long dropped,
        long refused,
        long degraded,
        long spilled,
        Optional<String> lastDrop) {}
