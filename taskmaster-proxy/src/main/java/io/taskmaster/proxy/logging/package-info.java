/** Logging of the programs: destination and format. */
@NullMarked
package io.taskmaster.proxy.logging;

import org.jspecify.annotations.NullMarked;
