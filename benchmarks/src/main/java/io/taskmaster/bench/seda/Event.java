package io.taskmaster.bench.seda;

import io.taskmaster.client.ServiceClass;

/**
 * What a stage gets. Immutable.
 *
 * @param bornNanos when it should have been offered, by {@link System#nanoTime()}
 * @param chance evenly from 0 to 1: what kind of event it is
 */
record Event(long bornNanos, double chance, ServiceClass serviceClass) {}
