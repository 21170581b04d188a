/** Verdicts of the oracle: promises, findings, and the settings of a check. */
@NullMarked
package io.taskmaster.testkit.oracle.verdict;

import org.jspecify.annotations.NullMarked;
