/** Logging of the programs: destination and format. */
@NullMarked
package io.taskmaster.server.logging;

import org.jspecify.annotations.NullMarked;
