/** The exception type of TaskMaster, and the error codes that determine how to react to it. */
@NullMarked
package io.taskmaster.error;

import org.jspecify.annotations.NullMarked;
