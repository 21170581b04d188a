package io.taskmaster.bench.seda;

import io.taskmaster.client.ServiceClass;

/**
 * An event offered to a stage. Immutable.
 *
 * @param bornNanos the instant at which it should have been offered, by {@link System#nanoTime()}
 * @param chance a random number from 0 to 1, evenly distributed, that decides the kind of the event
 */
record Event(long bornNanos, double chance, ServiceClass serviceClass) {}
