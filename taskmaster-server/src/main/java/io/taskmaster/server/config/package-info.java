/** The settings of a node: a validated record, a file, and command-line values over it. */
@NullMarked
package io.taskmaster.server.config;

import org.jspecify.annotations.NullMarked;
