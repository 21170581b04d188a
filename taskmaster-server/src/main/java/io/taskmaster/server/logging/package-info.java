/** Log lines of the programs: where they go and how they look. */
@NullMarked
package io.taskmaster.server.logging;

import org.jspecify.annotations.NullMarked;
