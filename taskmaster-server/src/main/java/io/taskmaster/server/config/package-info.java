/** The settings of a node: a validated record, a file, and flags over it. */
@NullMarked
package io.taskmaster.server.config;

import org.jspecify.annotations.NullMarked;
