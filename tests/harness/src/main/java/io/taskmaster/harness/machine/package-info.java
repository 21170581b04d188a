/**
 * A machine under a server in a process of its own, whose disk fails and loses power on demand, and whose wall clock
 * can be set.
 */
@NullMarked
package io.taskmaster.harness.machine;

import org.jspecify.annotations.NullMarked;
