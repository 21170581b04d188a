/** Authentication and audit of calls, and the caller that a call is accounted to. */
@NullMarked
package io.taskmaster.proxy.rpc.access;

import org.jspecify.annotations.NullMarked;
