/** One exception type, and the error codes that say what to do about it. */
@NullMarked
package io.taskmaster.error;

import org.jspecify.annotations.NullMarked;
