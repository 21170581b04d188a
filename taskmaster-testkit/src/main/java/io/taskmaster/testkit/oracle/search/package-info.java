/** The search for an order of operations that explains a task's history. */
@NullMarked
package io.taskmaster.testkit.oracle.search;

import org.jspecify.annotations.NullMarked;
