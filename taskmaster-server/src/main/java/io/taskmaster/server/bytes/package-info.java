/** The byte-level reader and writer of which all stored formats are made. Sees nothing but the model. */
@NullMarked
package io.taskmaster.server.bytes;

import org.jspecify.annotations.NullMarked;
