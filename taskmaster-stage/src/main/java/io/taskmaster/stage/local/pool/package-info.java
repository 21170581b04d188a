/** Worker threads of local stages: the shared pool, the workers of a stage, and the watchdog over them. */
@NullMarked
package io.taskmaster.stage.local.pool;

import org.jspecify.annotations.NullMarked;
