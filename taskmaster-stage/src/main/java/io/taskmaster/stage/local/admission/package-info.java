/** Admission rules of a local stage: token buckets, controlled delay, and the control of overload. */
@NullMarked
package io.taskmaster.stage.local.admission;

import org.jspecify.annotations.NullMarked;
