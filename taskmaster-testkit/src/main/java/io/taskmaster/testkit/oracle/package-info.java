/**
 * The judge of recorded histories: {@link io.taskmaster.testkit.oracle.Oracle} says which promises of TaskMaster a history breaks.
 * Calls become {@link io.taskmaster.testkit.oracle.Operation operations}, these are projected on the tasks that they concern, and
 * passes look at tasks, updates, queues and reads; each pass is a class.
 */
@NullMarked
package io.taskmaster.testkit.oracle;

import org.jspecify.annotations.NullMarked;
