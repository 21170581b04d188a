/** Tests of the stored formats: golden files, round trips, and corrupt bytes. */
@NullMarked
package io.taskmaster.server.format;

import org.jspecify.annotations.NullMarked;
