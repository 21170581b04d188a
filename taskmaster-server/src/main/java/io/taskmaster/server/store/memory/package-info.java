/** The reference implementation of the storage SPI, in memory. */
@NullMarked
package io.taskmaster.server.store.memory;

import org.jspecify.annotations.NullMarked;
