/**
 * Sockets as sources and sinks of stages (SEDA, "Asynchronous Sockets Layer"), on a few threads, however many connections there are. An
 * {@link io.taskmaster.stage.net.Endpoint} listens and connects; what arrives at it are {@linkplain io.taskmaster.stage.net.Message messages}, which go to a
 * {@link io.taskmaster.stage.Sink}, and a {@link io.taskmaster.stage.net.Connection} is a sink itself. A connection is not read while nobody takes what it
 * brought, or its peer does not read what it gets; so it has a bounded part of the memory, and TCP tells its peer. All connections of an endpoint together have a budget.
 *
 * <p>The state of a connection is a {@code Conversation}, owned by one thread of the {@link io.taskmaster.stage.net.Sockets}. What waits for its peer is
 * {@code Outgoing}; who waits for room in the sink stands in a {@code WaitingLine}. The budget is {@code Budget}, and what one connection has of it its {@code Share}.
 */
@NullMarked
package io.taskmaster.stage.net;

import org.jspecify.annotations.NullMarked;
