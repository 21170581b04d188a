/** The health of a node, in terms that every endpoint can report. */
@NullMarked
package io.taskmaster.proxy.health;

import org.jspecify.annotations.NullMarked;
