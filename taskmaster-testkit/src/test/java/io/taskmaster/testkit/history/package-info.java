/** History files, and how outcomes are told apart. */
@NullMarked
package io.taskmaster.testkit.history;

import org.jspecify.annotations.NullMarked;
