/** Tests of the script {@code taskmaster}, which builds on first use and starts the command line. */
@NullMarked
package io.taskmaster.integration.launcher;

import org.jspecify.annotations.NullMarked;
