/**
 * Faults on a time line: drawn from a seed, done to whatever can suffer them, and undone again. Nothing here is about TaskMaster alone:
 * a pipeline of your own runs under the same scripts.
 */
@NullMarked
package io.taskmaster.testkit.fault;

import org.jspecify.annotations.NullMarked;
