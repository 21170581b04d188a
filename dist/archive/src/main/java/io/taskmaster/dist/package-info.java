/** Programs that make release archives: smaller jars, and the licences of all parts. */
@NullMarked
package io.taskmaster.dist;

import org.jspecify.annotations.NullMarked;
