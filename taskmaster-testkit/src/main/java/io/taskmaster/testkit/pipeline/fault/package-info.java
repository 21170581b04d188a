/** Faults of a pipeline test: planned ones of attempts and commits, and random ones. */
@NullMarked
package io.taskmaster.testkit.pipeline.fault;

import org.jspecify.annotations.NullMarked;
