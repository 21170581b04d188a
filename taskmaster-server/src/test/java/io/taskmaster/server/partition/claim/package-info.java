/** Tests of the claim. */
@NullMarked
package io.taskmaster.server.partition.claim;

import org.jspecify.annotations.NullMarked;
