/**
 * The HTTP port of a node: the contract in JSON for clients such as {@code curl}, health for operators and load
 * balancers, metrics for Prometheus, and the web page. On Netty, see ADR 13.
 */
@NullMarked
package io.taskmaster.server.http;

import org.jspecify.annotations.NullMarked;
