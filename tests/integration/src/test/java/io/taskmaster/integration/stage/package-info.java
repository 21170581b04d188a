/** Tests of the stage library on real servers, in worker processes that are killed. */
@NullMarked
package io.taskmaster.integration.stage;

import org.jspecify.annotations.NullMarked;
