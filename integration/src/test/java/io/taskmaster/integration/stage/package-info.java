/** The stage library on real servers, in worker processes that die. */
@NullMarked
package io.taskmaster.integration.stage;

import org.jspecify.annotations.NullMarked;
