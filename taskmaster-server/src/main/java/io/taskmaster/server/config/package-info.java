/** The settings of a node: validated records, a file, and command-line values over it. */
@NullMarked
package io.taskmaster.server.config;

import org.jspecify.annotations.NullMarked;
