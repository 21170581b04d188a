/**
 * A TaskMaster server in the process of a test: in memory or in a folder, with a clock that the test moves and faults
 * that the test plans.
 */
@NullMarked
package io.taskmaster.testkit;

import org.jspecify.annotations.NullMarked;
