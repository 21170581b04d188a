/** Tests of what {@code docs/upgrading.md} promises of contracts and archives of earlier versions. */
@NullMarked
package io.taskmaster.conformance.upgrade;

import org.jspecify.annotations.NullMarked;
