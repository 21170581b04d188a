/**
 * The settings of a process with ports, and the limits of requests; the reader of settings, a file and command-line
 * values over it.
 */
@NullMarked
package io.taskmaster.proxy.config;

import org.jspecify.annotations.NullMarked;
