/** Tests of today's server on data that earlier versions stored, as {@code docs/upgrading.md} promises. */
@NullMarked
package io.taskmaster.integration.upgrade;

import org.jspecify.annotations.NullMarked;
