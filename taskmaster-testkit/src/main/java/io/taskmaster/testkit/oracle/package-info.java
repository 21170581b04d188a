/**
 * The judge of recorded histories: {@link io.taskmaster.testkit.oracle.Oracle} finds the promises of TaskMaster that a
 * history breaks.
 *
 * <p>Calls become {@link io.taskmaster.testkit.oracle.model.RecordedOperation operations}; these are projected on the
 * tasks that they concern; passes then check tasks, updates, queues and reads. Each pass is a class.
 */
@NullMarked
package io.taskmaster.testkit.oracle;

import org.jspecify.annotations.NullMarked;
