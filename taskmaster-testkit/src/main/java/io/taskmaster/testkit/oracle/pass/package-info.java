/** Passes of the oracle: each checks one promise over a whole history. */
@NullMarked
package io.taskmaster.testkit.oracle.pass;

import org.jspecify.annotations.NullMarked;
