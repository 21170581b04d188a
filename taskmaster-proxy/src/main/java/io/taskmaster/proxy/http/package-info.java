/**
 * The HTTP port: the contract in JSON for clients such as {@code curl}, health for operators and load balancers,
 * metrics for Prometheus, and the web page. On Netty, see ADR 13.
 */
@NullMarked
package io.taskmaster.proxy.http;

import org.jspecify.annotations.NullMarked;
