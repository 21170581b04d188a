/** Tests of containers with the project's own images. */
@NullMarked
package io.taskmaster.containers;

import org.jspecify.annotations.NullMarked;
