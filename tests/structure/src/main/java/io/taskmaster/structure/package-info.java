/** The structure of the sources of this repository: sizes, circles, names and docs, counted and held. */
@NullMarked
package io.taskmaster.structure;

import org.jspecify.annotations.NullMarked;
