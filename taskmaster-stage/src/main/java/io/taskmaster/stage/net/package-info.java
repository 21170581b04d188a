/**
 * Sockets as sources and sinks of stages (SEDA, "Asynchronous Sockets Layer"), on a few threads, however many
 * connections there are.
 *
 * <p>An {@link io.taskmaster.stage.net.Endpoint} listens and connects. What arrives there are
 * {@linkplain io.taskmaster.stage.net.Message messages}, which go to a {@link io.taskmaster.stage.Sink}; a
 * {@link io.taskmaster.stage.net.PeerConnection} is a sink itself. Backpressure goes to the peer by TCP: a connection
 * is not read while the sink refuses its message, or its peer does not read what it gets. So each connection holds a
 * bounded amount of memory, and all connections of an endpoint share one budget
 * (docs/adr/0019-one-budget-for-all-connections-of-an-endpoint.md).
 *
 * <p>The state of a connection is a {@code ConnectionHandler}, owned by one thread of the
 * {@link io.taskmaster.stage.net.Sockets}. Bytes that wait for its peer are in {@code OutboundBuffer}; connections that
 * wait for the sink are in a {@code WaitQueue}. The memory is counted in {@code Budget}, and each connection's part of
 * it in its {@code Share}.
 */
@NullMarked
package io.taskmaster.stage.net;

import org.jspecify.annotations.NullMarked;
