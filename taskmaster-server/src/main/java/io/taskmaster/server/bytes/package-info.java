/** Byte strings as they are stored: what all formats are made of. Sees nothing but the model. */
@NullMarked
package io.taskmaster.server.bytes;

import org.jspecify.annotations.NullMarked;
