/** The command line. */
@NullMarked
package io.taskmaster.server.cli;

import org.jspecify.annotations.NullMarked;
