/** The reference store, in memory. */
@NullMarked
package io.taskmaster.server.store.memory;

import org.jspecify.annotations.NullMarked;
