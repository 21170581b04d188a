/** The storage SPI: stamped cells in rows of four tables. */
@NullMarked
package io.taskmaster.server.store;

import org.jspecify.annotations.NullMarked;
