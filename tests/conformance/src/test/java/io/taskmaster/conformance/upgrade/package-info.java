/** Tests of what {@code docs/upgrading.md} promises: contracts, stored data and archives of earlier versions. */
@NullMarked
package io.taskmaster.conformance.upgrade;

import org.jspecify.annotations.NullMarked;
