/**
 * The gRPC port: checks requests, maps the contract to commands and replies back to it, and refuses calls over a limit.
 */
@NullMarked
package io.taskmaster.proxy.rpc;

import org.jspecify.annotations.NullMarked;
