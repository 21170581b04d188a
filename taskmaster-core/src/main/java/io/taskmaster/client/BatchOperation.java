package io.taskmaster.client;

/** An operation of a batch: an update or a lease. */
public sealed interface BatchOperation permits Update, LeaseRequest {}
