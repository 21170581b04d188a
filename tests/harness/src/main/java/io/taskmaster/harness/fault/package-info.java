/**
 * Faults on a time line: drawn from a seed, injected into a target, and undone again. Nothing here depends on
 * TaskMaster: a pipeline of your own can run under the same scripts.
 */
@NullMarked
package io.taskmaster.harness.fault;

import org.jspecify.annotations.NullMarked;
