/** The oracle against a small service that keeps its promises, and against the same with one bug at a time. */
@NullMarked
package io.taskmaster.testkit.oracle;

import org.jspecify.annotations.NullMarked;
