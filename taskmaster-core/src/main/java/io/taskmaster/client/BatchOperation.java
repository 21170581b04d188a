package io.taskmaster.client;

/** What a batch is made of: updates and leases. */
public sealed interface BatchOperation permits Update, LeaseRequest {}
