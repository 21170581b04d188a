/** The course of a unary call: admission, meters, the reply, and work that is offloaded from the event loop. */
@NullMarked
package io.taskmaster.proxy.rpc.call;

import org.jspecify.annotations.NullMarked;
