/** The bench command: what is to be measured, against which server, and how the outcome is shown. */
@NullMarked
package io.taskmaster.bench;

import org.jspecify.annotations.NullMarked;
