/** The command {@code server}, which this module adds to the command line. */
@NullMarked
package io.taskmaster.server.cli;

import org.jspecify.annotations.NullMarked;
