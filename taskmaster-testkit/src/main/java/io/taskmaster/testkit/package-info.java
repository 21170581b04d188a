/** A TaskMaster in the process of a test: on memory or in a folder, by a clock that the test moves, with faults that the test asks for. */
@NullMarked
package io.taskmaster.testkit;

import org.jspecify.annotations.NullMarked;
